// SPDX-License-Identifier: Apache-2.0
#include "study/search/trials.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "device/stream_levels.h"
#include "host/facts.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/words.h"
#include "study/search/bound_search.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr double kLonger = 3;  // a confirmation of what the first trial left open

std::size_t count(const Case& c, const char* setting) {
  return static_cast<std::size_t>(fact<std::int64_t>(c.settings, setting).value_or(1));
}

bool same(const TrialPoint& a, const TrialPoint& b) {
  return a.batch == b.batch && a.streams == b.streams && a.in_flight == b.in_flight;
}

}  // namespace

const Metric* searched(const Case& c) {
  const Metric* per_joule = known_metric(c.metrics, metric::items_per_joule);
  return per_joule ? per_joule : known_metric(c.metrics, metric::throughput);
}

std::optional<double> rate_of(const Case& c) {
  const Metric* m = c.outcome == trial_word::fits ? searched(c) : nullptr;
  return m ? std::optional(m->estimate.value) : std::nullopt;
}

std::optional<double> speed_of(const Case& c) {
  const Metric* m = c.outcome == trial_word::fits ? known_metric(c.metrics, metric::throughput) : nullptr;
  return m ? std::optional(m->estimate.value) : std::nullopt;
}

std::optional<double> memory_of(const Case& c) {
  if (c.trial.data_bytes) return static_cast<double>(*c.trial.data_bytes);
  const auto it = c.metrics.find(metric::memory);
  return it == c.metrics.end() ? std::nullopt : std::optional(it->second.estimate.value);
}

bool is_limit(const Case& c) {
  return c.outcome == trial_word::out_of_memory || c.outcome == trial_word::unsupported;
}

bool met(const Case& c) {
  return c.outcome == trial_word::fits && c.trial.bound == bound_word::met;
}

bool seems_met(const Case& c, double percentile) {
  const auto& late = c.trial.late_share;
  return met(c) ||
         (c.outcome == trial_word::fits && c.trial.bound == bound_word::cannot_tell && late && *late <= 1 - percentile);
}

TrialPoint point_of(const Case& c, Copies copies) {
  return {fact<std::int64_t>(c.settings, "batch").value_or(0), count(c, "streams"), count(c, "in_flight"), copies};
}

std::vector<std::size_t> middle_trials(std::span<const Case> cases) {
  std::vector<std::vector<std::size_t>> points;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!rate_of(cases[i])) continue;
    const auto here = [&](const std::vector<std::size_t>& p) {
      return same(point_of(cases[p.front()], Copies::none), point_of(cases[i], Copies::none));
    };
    const auto known = std::find_if(points.begin(), points.end(), here);
    if (known == points.end())
      points.push_back({i});
    else
      known->push_back(i);
  }
  std::vector<std::size_t> middles;
  for (auto& trials : points) {
    const auto middle = trials.begin() + static_cast<std::ptrdiff_t>((trials.size() - 1) / 2);
    std::nth_element(trials.begin(), middle, trials.end(),
                     [&](std::size_t a, std::size_t b) { return *rate_of(cases[a]) < *rate_of(cases[b]); });
    middles.push_back(*middle);
  }
  return middles;
}

std::int64_t batch_of(const Case& c) {
  return fact<std::int64_t>(c.settings, "batch").value_or(0);
}

std::int64_t fewest_to_prove(double percentile) {
  constexpr double kError = 0.05 / static_cast<double>(kLooks * kUnprovenTried);
  return static_cast<std::int64_t>(std::ceil(std::log(kError) / std::log(percentile)));
}

double longest_proof(const ThroughputPlan& o) {
  return kLonger * o.longest_seconds;
}

Trials::Trials(const ThroughputPlan& o, Record& record) : host_limit(o.memory), o_(o), record_(record) {
  if (const auto free = available_memory(); free && !host_limit) host_limit = free->count / 10 * 9;
}

TrialPlan Trials::plan(const TrialPoint& p, Purpose purpose) const {
  TrialPlan plan;
  plan.point = p;
  plan.shortest_seconds = o_.shortest_seconds;
  plan.longest_seconds = o_.longest_seconds;
  if (purpose == Purpose::soak) plan.shortest_seconds = plan.longest_seconds = to_seconds(o_.soak);
  if (purpose == Purpose::proof) {
    plan.shortest_seconds = plan.longest_seconds = longest_proof(o_);
    plan.looks = kLooks * kUnprovenTried;
  }
  plan.margin = o_.margin;
  plan.energy = o_.by_energy() && purpose != Purpose::fit;
  plan.bound = o_.bound();
  plan.once = purpose == Purpose::fit;
  plan.memory_limit = host_limit;
  plan.first = !opened;
  plan.smallest = smallest;
  plan.check_outputs = p.batch > largest_checked_ && p.batch > smallest;
  return plan;
}

// Each is a process that draws its own luck, on a stream of the same level as all others.
Trial Trials::next(const TrialPlan& t) {
  if (o_.here) return o_.here(t, o_.stop);
  OpenOptions open = o_.open;
  open.launch = processes_++;
  open.prefers_stream = name(StreamLevel::fast);
  return try_point(open, t, o_.stop);
}

Case Trials::run(const TrialPoint& p, Purpose purpose) {
  const TrialPlan t = plan(p, purpose);
  report(p);
  auto [c, about] = next(t);
  if (opened && !about.model.sha256.empty()) check_same_files(record_.model, about.model);
  if (!opened) {
    record_.model = about.model;
    record_.device = about.device;
    record_.settings = about.settings;
    record_.observations.host_numa_node = about.observations.host_numa_node;
  }
  if (t.check_outputs && c.outcome == trial_word::fits) largest_checked_ = p.batch;
  if (c.about.empty() && purpose == Purpose::fit) c.about = "a few requests, to see whether it fits";
  if (c.about.empty() && purpose == Purpose::soak) c.about = fmt::format("{:g} s without a break", to_seconds(o_.soak));
  record_.cases.push_back(c);
  about_.push_back(std::move(about));
  return c;
}

// Long enough for as many requests as a proof of the bound takes.
double Trials::launch_seconds() const {
  const double requests =
      speed_of(*answer()).value_or(0) / std::max<double>(1, static_cast<double>(batch_of(*answer())));
  if (!o_.bound() || requests <= 0) return o_.launch_seconds;
  const double proof = static_cast<double>(fewest_to_prove(o_.bound()->percentile)) / requests;
  return std::clamp(proof, o_.launch_seconds, std::max(o_.launch_seconds, o_.longest_seconds));
}

bool Trials::launch() {
  const TrialPoint p = point_of(*answer(), o_.copies);
  TrialPlan t = plan(p, Purpose::launch);
  t.shortest_seconds = t.longest_seconds = launch_seconds();
  launches_.clear();
  for (std::size_t i = 1; i <= o_.answer_launches; ++i) {
    const std::string which = fmt::format("launch {} of {}", i, o_.answer_launches);
    report(p, ", " + which);
    auto [c, about] = next(t);
    if (!about.model.sha256.empty()) check_same_files(record_.model, about.model);
    if (c.outcome == trial_word::fits && c.trial.bound != bound_word::not_met) {
      about.metrics = std::move(c.metrics);
      launches_.push_back(std::move(about));
      continue;
    }
    c.about = which + (c.about.empty() ? "" : ": " + c.about);
    record_.cases.push_back(std::move(c));
    about_.push_back(std::move(about));
    launches_.clear();
    return false;
  }
  return true;
}

double Trials::window_ns() const {
  double sum = 0;
  for (const Record& r : launches_) sum += r.window_ns;
  return launches_.size() > 1 ? sum : about_.at(*answer_).window_ns;
}

constexpr std::array kAnswered{metric::throughput, metric::latency_loaded,  metric::memory,
                               metric::energy,     metric::items_per_joule, metric::power};

void Trials::answer_with_nothing() {
  answer_.reset();
  for (const std::string_view name : kAnswered) record_.metrics.erase(std::string(name));
}

void Trials::answer_with(std::size_t trial) {
  answer_with_nothing();
  answer_ = trial;
  const Case& c = record_.cases.at(trial);
  for (const std::string_view name : kAnswered) {
    if (const auto it = c.metrics.find(name); it != c.metrics.end()) record_.metrics.insert(*it);
  }
  const Record& about = about_.at(trial);
  if (!about.model.runtime.empty()) record_.model.facts = about.model.facts;  // threads and streams are the point's
  record_.telemetry = about.telemetry;
  record_.observations.disturbances = about.observations.disturbances;
  record_.observations.cpus = about.observations.cpus;
}

void Trials::forget() {
  record_.cases.clear();
  about_.clear();
  answer_.reset();
}

bool Trials::is_at(const Case& c, const TrialPoint& p) const {
  const TrialPoint q = point_of(c, p.copies);
  return q.streams == p.streams && q.in_flight == p.in_flight;
}

const Case* Trials::known(const TrialPoint& p) const {
  for (const Case& c : record_.cases) {
    if (same(point_of(c, p.copies), p) && c.metrics.contains(metric::throughput)) return &c;
  }
  return nullptr;
}

void Trials::report(const TrialPoint& p, std::string_view more) const {
  if (!o_.progress) return;
  Progress progress;
  progress.phase =
      fmt::format("batch {}{}{}", p.batch, p.streams > 1 ? fmt::format(", {} streams", p.streams) : "", more);
  progress.elapsed = elapsed();
  o_.progress(progress);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare_sides.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "base/unit_names.h"
#include "measure/analysis.h"
#include "record/estimates.h"
#include "record/metric_info.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"
#include "study/compare/comparisons.h"
#include "study/compare/unlike_sides.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

Metric weighed(const std::vector<SideLaunch>& launches) {
  std::vector<double> bytes;
  for (const SideLaunch& launch : launches) bytes.push_back(launch.bytes.value_or(0));
  std::sort(bytes.begin(), bytes.end());
  Metric m;
  m.unit = unit::bytes;
  m.n = bytes.size();
  m.n_eff = static_cast<double>(bytes.size());
  m.estimate = from_stats(stats::quantile_interval(bytes, 0.5, m.n_eff));
  m.min = bytes.front();
  m.max = bytes.back();
  return m;
}

// One figure of a launch; none where it has none.
using ValueOfLaunch = std::function<std::optional<double>(const SideLaunch&)>;

std::optional<double> middle_turn(const SideLaunch& launch, const std::string& metric) {
  std::vector<double> values;
  for (const TurnReadings& turn : launch.turns) {
    if (const auto it = turn.find(metric); it != turn.end()) values.push_back(it->second.value);
  }
  if (values.empty()) return std::nullopt;
  return stats::median_of(values);
}

std::optional<double> percentile_of_launch(const SideLaunch& launch, const std::string& metric, double p) {
  std::vector<double> samples;
  for (const TurnReadings& turn : launch.turns) {
    if (const auto it = turn.find(metric); it != turn.end())
      samples.insert(samples.end(), it->second.samples.begin(), it->second.samples.end());
  }
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  return stats::quantile(samples, p);
}

bool has_percentile(const Case& c, const std::string& metric, double p) {
  const auto m = c.metrics.find(metric);
  if (m == c.metrics.end() || !m->second.known()) return false;
  return std::any_of(m->second.percentiles.begin(), m->second.percentiles.end(),
                     [&](const Percentile& q) { return q.p == p && q.estimate && q.estimate->bounded(); });
}

// The samples of all turns, one after the other.
SeriesData series_of(const Side& side, const std::string& metric) {
  SeriesData series;
  std::uint32_t round = 0;
  for (const SideLaunch& launch : side.launches) {
    for (std::size_t k = 0; k < launch.turns.size(); ++k, ++round) {
      const auto it = launch.turns[k].find(metric);
      if (it == launch.turns[k].end()) continue;
      const bool rate = it->second.samples.empty();
      for (const double x : rate ? std::vector<double>{it->second.value} : it->second.samples) {
        series.values.push_back(x);
        series.at_seconds.push_back(launch.at_seconds[k]);
        series.round.push_back(round);
      }
    }
  }
  return series;
}

// The figure is the median launch's; its interval is for the next one, and those of percentiles lie no further inside.
void predict_next(const std::vector<double>& launches, Metric& m) {
  const stats::Estimate e = stats::predict_next_launch(launches);
  m.estimate = make_estimate(e.value, e.low, e.high, "one launch says nothing about others");
  m.n_eff = static_cast<double>(launches.size());
  for (const stats::LaunchLevel& level : stats::launch_levels(launches))
    m.levels.push_back({level.value, level.launches});
  for (Percentile& p : m.percentiles) {
    if (!p.estimate || !m.estimate.bounded()) continue;
    if (p.p > 0.5 && p.estimate->high) p.estimate->high = std::max(*p.estimate->high, *m.estimate.high);
    if (p.p < 0.5 && p.estimate->low) p.estimate->low = std::min(*p.estimate->low, *m.estimate.low);
  }
}

class SidesCompared {
 public:
  SidesCompared(std::vector<Side>& sides, const ComparePlan& o, Record& record)
      : sides_(sides), o_(o), record_(record) {}

  void describe();
  void compare_all();
  void gather_findings();

 private:
  void describe_settings();
  void compare_metric(const std::string& metric);
  void compare_percentiles();
  void compare_memory();
  Comparison* add_result(const Side&, const std::string& metric, const stats::RatioComparison&,
                         std::optional<double> percentile = std::nullopt);
  std::vector<double> log_ratios(const Side&, const ValueOfLaunch&) const;
  std::vector<std::vector<double>> ratios_of_others(const ValueOfLaunch&) const;
  Metric metric_of(const Side&, const std::string& metric) const;
  stats::ComparisonRule rule() const { return {.margin = o_.margin}; }
  // The candidates that are compared with the first; its own noise floor is none.
  std::span<const Side> others() const { return std::span(sides_).subspan(1, sides_.size() - 1 - o_.noise_floor); }
  std::vector<Side>& sides_;
  const ComparePlan& o_;
  Record& record_;
};

Metric SidesCompared::metric_of(const Side& side, const std::string& metric) const {
  Options asked;
  asked.percentiles = reported_percentiles(asked);
  for (const double p : percentiles_of(o_.fail_on)) {
    if (std::find(asked.percentiles.begin(), asked.percentiles.end(), p) == asked.percentiles.end())
      asked.percentiles.push_back(p);
  }
  Metric m = describe_series(series_of(side, metric), asked);
  const MetricInfo* info = metric_info(metric);
  if (info) m.unit = info->unit;
  if (info && info->kind != MetricKind::sample) m.percentiles.clear();
  std::vector<double> launches;
  for (const SideLaunch& launch : side.launches) {
    if (const auto value = middle_turn(launch, metric); value && *value > 0) launches.push_back(*value);
  }
  if (!launches.empty()) predict_next(launches, m);
  return m;
}

std::vector<double> SidesCompared::log_ratios(const Side& side, const ValueOfLaunch& value) const {
  const Side& first = sides_.front();
  std::vector<double> y;
  for (std::size_t k = 0; k < first.launches.size(); ++k) {
    const auto a = value(first.launches[k]), b = value(side.launches[k]);
    if (a && b && *a > 0 && *b > 0) y.push_back(std::log(*b / *a));
  }
  return y;
}

std::vector<std::vector<double>> SidesCompared::ratios_of_others(const ValueOfLaunch& value) const {
  std::vector<std::vector<double>> ratios;
  for (const Side& side : others()) ratios.push_back(log_ratios(side, value));
  return ratios;
}

// Null where there is none.
Comparison* SidesCompared::add_result(const Side& side, const std::string& metric, const stats::RatioComparison& c,
                                      std::optional<double> percentile) {
  if (c.pairs == 0) return nullptr;
  Comparison& added = record_.comparisons.emplace_back(to_comparison(sides_.front().name, side.name, metric, c));
  added.percentile = percentile;
  return &added;
}

// The noise floor is shown, and is no result: it must not make the others harder to tell.
void SidesCompared::compare_metric(const std::string& metric) {
  const auto value = [&](const SideLaunch& launch) { return middle_turn(launch, metric); };
  const auto results = stats::compare_pair_family(ratios_of_others(value), rule());
  for (std::size_t i = 0; i < results.size(); ++i) add_result(others()[i], metric, results[i]);
  if (!o_.noise_floor) return;
  const auto floor = stats::compare_pairs(log_ratios(sides_.back(), value), rule());
  if (Comparison* added = add_result(sides_.back(), metric, floor)) added->noise_floor = true;
}

// By the pairs, as the medians, where both sides have samples enough for the percentile at all.
void SidesCompared::compare_percentiles() {
  const std::string metric = headline_metric(record_);
  for (const double p : percentiles_of(o_.fail_on)) {
    const auto value = [&](const SideLaunch& launch) { return percentile_of_launch(launch, metric, p); };
    const auto results = stats::compare_pair_family(ratios_of_others(value), rule());
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (has_percentile(record_.cases.front(), metric, p) && has_percentile(record_.cases[i + 1], metric, p))
        add_result(others()[i], metric, results[i], p);
    }
  }
}

void SidesCompared::compare_memory() {
  const auto bytes = [](const SideLaunch& launch) { return launch.bytes; };
  const auto results = stats::compare_pair_family(ratios_of_others(bytes), rule());
  for (std::size_t i = 0; i < results.size(); ++i) add_result(others()[i], metric::memory, results[i]);
}

void SidesCompared::compare_all() {
  for (const auto& [metric, reading] : sides_.front().launches.front().turns.front()) compare_metric(metric);
  compare_percentiles();
  if (asks_for_memory(o_.fail_on)) compare_memory();
  const auto place = [&](const Comparison& c) {
    return std::find_if(sides_.begin(), sides_.end(), [&](const Side& s) { return s.name == c.b; });
  };
  std::stable_sort(record_.comparisons.begin(), record_.comparisons.end(),
                   [&](const Comparison& x, const Comparison& y) { return place(x) < place(y); });
}

// The candidates' doubts; one that all share is said once.
void SidesCompared::gather_findings() {
  for (const Case& c : record_.cases) {
    for (Finding f : c.findings) {
      const auto shares = [&](const Case& other) {
        return std::any_of(other.findings.begin(), other.findings.end(),
                           [&](const Finding& g) { return g.id == f.id && g.message == f.message; });
      };
      const bool all = std::all_of(record_.cases.begin(), record_.cases.end(), shares);
      if (all && &c != &record_.cases.front()) continue;
      if (!all) f.message = fmt::format("({}) {}", c.name, f.message);
      record_.findings.push_back(std::move(f));
    }
  }
}

void SidesCompared::describe() {
  for (Side& side : sides_) {
    Record& r = side.about;
    Case c;
    c.name = side.name;
    c.settings = r.settings;
    c.model = r.model;
    c.device = r.device;
    c.metrics = r.metrics;  // those that are unknown, and why
    for (const auto& [metric, reading] : side.launches.front().turns.front())
      c.metrics[metric] = metric_of(side, metric);
    if (side.launches.front().bytes) c.metrics[metric::memory] = weighed(side.launches);
    r.metrics = c.metrics;
    r.host = record_.host;
    r.strobe = record_.strobe;
    apply_detectors(r);
    for (const Finding& f : r.findings) {
      if (traits_of(f).survives_turns) c.findings.push_back(f);
    }
    record_.cases.push_back(std::move(c));
  }
  const Record& first = sides_.front().about;
  record_.model = first.model;
  record_.device = first.device;
  record_.telemetry = first.telemetry;
  record_.observations.disturbances = first.observations.disturbances;
  record_.observations.cpus = first.observations.cpus;
  record_.observations.host_numa_node = first.observations.host_numa_node;
  describe_settings();
}

// Those that all candidates share; what differs is in the cases.
void SidesCompared::describe_settings() {
  for (const auto& [key, value] : record_.cases.front().settings) {
    const auto same = [&, &k = key, &v = value](const Case& c) {
      const auto it = c.settings.find(k);
      return it != c.settings.end() && it->second == v;
    };
    if (std::all_of(record_.cases.begin(), record_.cases.end(), same)) record_.settings[key] = value;
  }
}

// A count that one of them lacks is unknown.
void add_known(const std::optional<double>& part, std::optional<double>& sum) {
  if (part && sum)
    *sum += *part;
  else
    sum.reset();
}

}  // namespace

void add(const Disturbances& d, std::optional<Disturbances>& sum) {
  if (!sum) {
    sum = d;
    return;
  }
  const double before = sum->watched_ns, both = before + d.watched_ns;
  if (both > 0) sum->loading_share = (sum->loading_share * before + d.loading_share * d.watched_ns) / both;
  sum->watched_ns = both;
  sum->loads += d.loads;
  sum->major_faults += d.major_faults;
  sum->switches += d.switches;
  sum->preemptions += d.preemptions;
  add_known(d.waited_ns, sum->waited_ns);
  add_known(d.throttled_ns, sum->throttled_ns);
}

void compare_sides(std::vector<Side>& sides, const ComparePlan& o, Record& record) {
  SidesCompared compared(sides, o, record);
  compared.describe();
  compared.compare_all();
  compared.gather_findings();
  for (Finding& f : unlike_sides(record.cases)) record.findings.push_back(std::move(f));
  apply_fail_on(o.fail_on, record);
  doubt_undecided(record);
  record.verdict = verdict_of(record.findings);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/format.h"
#include "base/units.h"
#include "device/clock.h"
#include "host/facts.h"
#include "measure/launch_length.h"
#include "record/estimates.h"
#include "record/metric_info.h"
#include "stats/agreeing_limits.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "verdict/judge.h"
#include "verdict/standing.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

// The widest interval that a launch has by itself, or half a tick, relative to its value.
double widest_within(const std::vector<const Metric*>& metrics) {
  double widest = 0;
  for (const Metric* m : metrics) {
    widest = std::max(widest, m->estimate.relative_half_width().value_or(0));
    if (m->estimate.value > 0) widest = std::max(widest, m->facts.tick / 2 / m->estimate.value);
  }
  return widest;
}

// The median launch; the interval holds what the next launch will read.
Estimate next_launch(const std::vector<double>& values, double within) {
  const stats::Estimate e = stats::predict_next_launch(values, within);
  if (!stats::bounded(e)) return make_estimate(e.value, {}, {}, "one launch says nothing about others");
  return make_estimate(e.value, e.low, e.high, {});
}

// Percentiles that every launch could give: the median launch, and the range over launches.
std::vector<Percentile> percentiles_over(const std::vector<const Metric*>& metrics) {
  std::vector<Percentile> out;
  for (const Percentile& p : metrics.front()->percentiles) {
    std::vector<double> values;
    Percentile needed = p;
    for (const Metric* m : metrics) {
      for (const Percentile& q : m->percentiles) {
        if (q.p == p.p && q.estimate) values.push_back(q.estimate->value);
        if (q.p == p.p && q.needs) needed = q;
      }
    }
    if (values.size() < metrics.size()) {
      out.push_back({needed.p, std::nullopt, needed.needs});
      continue;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    out.push_back({p.p, make_estimate(stats::median_of(values), *least, *most, {}), std::nullopt});
  }
  return out;
}

// The limits of percentiles must not cross, nor lie inside those of the median: its interval is for the next launch,
// and theirs are only what was seen.
void let_limits_agree(Metric& m) {
  std::vector<std::pair<double, Estimate*>> by_level;
  for (Percentile& p : m.percentiles) {
    if (!p.estimate) continue;
    if (p.p > 0.5 && m.estimate.high) p.estimate->high = std::max(*p.estimate->high, *m.estimate.high);
    if (p.p < 0.5 && m.estimate.low) p.estimate->low = std::min(*p.estimate->low, *m.estimate.low);
    by_level.emplace_back(p.p, &*p.estimate);
  }
  std::sort(by_level.begin(), by_level.end());
  std::vector<Estimate*> estimates;
  for (const auto& [level, estimate] : by_level) estimates.push_back(estimate);
  stats::make_limits_agree<Estimate>(estimates);
}

// What a launch counts as.
double value_of(const Metric& m) {
  return m.facts.median_of_rounds.value_or(m.estimate.value);
}

// Is the stream of each launch a slow one? Empty where streams are alike. A process whose streams are all of one level
// does not know which: the others do.
std::vector<bool> slow_streams(const std::vector<Record>& launches) {
  std::vector<double> borders;
  for (const Record& r : launches) {
    const auto& s = r.observations.stream;
    if (s && s->fast_pause_ns && s->slow_pause_ns) borders.push_back((*s->fast_pause_ns + *s->slow_pause_ns) / 2);
  }
  std::vector<bool> slow;
  for (const Record& r : launches) {
    if (borders.empty() || !r.observations.stream) return {};
    slow.push_back(r.observations.stream->pause_ns > stats::median_of(borders));
  }
  return slow;
}

void tell_levels(const std::vector<double>& values, const std::vector<bool>& slow, double within, Metric& m) {
  const auto known = slow.empty() ? std::nullopt : stats::predict_by_level(values, slow, within);
  if (!known) {
    for (const stats::LaunchLevel& level : stats::launch_levels(values))
      m.levels.push_back({level.value, level.launches, {}});
    return;
  }
  const stats::Estimate& e = known->estimate;
  m.estimate = make_estimate(e.value, e.low, e.high, {});
  m.level_half_width = known->half_width;
  m.levels = {{known->first, known->firsts, "fast"}, {known->second, known->seconds, "slow"}};
}

// Pictures and facts are those of the first launch.
Metric metric_over(const std::vector<const Metric*>& metrics, const std::vector<bool>& slow) {
  Metric m = *metrics.front();
  std::vector<double> medians, means;
  m.n = 0;
  m.stddev = 0;
  m.outliers = {};
  m.facts.median_of_rounds.reset();
  for (const Metric* x : metrics) {
    m.n += x->n;
    medians.push_back(value_of(*x));
    if (x->mean) means.push_back(x->mean->value);
    m.min = std::min(m.min, x->min);
    m.max = std::max(m.max, x->max);
    m.outliers.count += x->outliers.count;
    m.outliers.largest = std::max(m.outliers.largest, x->outliers.largest);
    m.outliers.time_share = std::max(m.outliers.time_share, x->outliers.time_share);
  }
  m.outliers.share = m.n ? static_cast<double>(m.outliers.count) / static_cast<double>(m.n) : 0;
  m.n_eff = static_cast<double>(metrics.size());
  const double within = widest_within(metrics);
  m.estimate = next_launch(medians, within);
  m.launch_spread = stats::relative_spread(medians);
  if (means.size() == metrics.size()) m.mean = next_launch(means, within);
  tell_levels(medians, slow, within, m);
  m.trend = stats::launch_trend(medians);
  m.percentiles = percentiles_over(metrics);
  let_limits_agree(m);
  return m;
}

// A later launch leaves out what only the first looks at; what it tried and could not measure is unknown to all.
Metric metric_named(const std::string& name, const std::vector<Record>& launches, const std::vector<bool>& slow) {
  const Metric& first = launches.front().metrics.at(name);
  std::vector<const Metric*> known;
  std::string unknown;
  std::size_t tried = 0;
  for (const Record& r : launches) {
    const auto m = r.metrics.find(name);
    if (m == r.metrics.end()) continue;
    ++tried;
    if (m->second.known() && m->second.estimate.value > 0)
      known.push_back(&m->second);
    else if (unknown.empty())
      unknown = m->second.unknown;
  }
  if (tried == 1 || !first.known()) return first;
  if (known.size() == launches.size()) return metric_over(known, slow);
  Metric m;
  m.unit = first.unit;
  m.unknown = unknown.empty() ? "not every launch could measure it" : unknown;
  return m;
}

Metrics metrics_over(const std::vector<Record>& launches) {
  Metrics all;
  const std::vector<bool> slow = slow_streams(launches);
  for (const auto& [name, first] : launches.front().metrics) all[name] = metric_named(name, launches, slow);
  return all;
}

// A finding in all launches that have it.
struct Seen {
  Finding worst;
  std::size_t in = 0, rising = 0, falling = 0;
};

void add_to(Seen& s, const Finding& f) {
  if (s.in++ == 0 || f.severity > s.worst.severity) s.worst = f;
  const auto sign = f.evidence.find(traits_of(f).sign);
  if (sign == f.evidence.end()) return;
  s.rising += sign->second > 0;
  s.falling += sign->second < 0;
}

// What one launch shows is among what differs between launches already. It is a doubt about all of them where nearly
// all have it, the same way.
void weigh(Seen& s, std::size_t launches) {
  const Traits traits = traits_of(s.worst);
  if (!traits.within_launch) return;
  const std::size_t alike = traits.sign.empty() ? s.in : std::max(s.rising, s.falling);
  if (s.in < launches) s.worst.message = fmt::format("({} of {} launches) {}", s.in, launches, s.worst.message);
  if (alike + 1 < launches || traits.of_interval) s.worst.severity = std::min(s.worst.severity, Severity::note);
}

std::vector<Finding> findings_over(const std::vector<Record>& launches) {
  std::map<std::pair<std::string, std::string>, Seen> seen;
  for (const Record& r : launches) {
    for (const Finding& f : r.findings) {
      if (!traits_of(f).of_one_launch) add_to(seen[{f.id, f.metric}], f);
    }
  }
  std::vector<Finding> findings;
  for (auto& [id, s] : seen) {
    weigh(s, launches.size());
    findings.push_back(std::move(s.worst));
  }
  return findings;
}

// A device that heats, or a machine that fills: the next launch continues it.
void add_trends(Record& r) {
  constexpr double kWorthSaying = 0.0025;
  for (const auto& [name, m] : r.metrics) {
    if (!m.trend || std::fabs(*m.trend) < kWorthSaying) continue;
    r.findings.push_back({.id = "launch-trend",
                          .severity = Severity::warning,
                          .message = fmt::format("{} {} by {} from one launch to the next", metric_label(name),
                                                 *m.trend > 0 ? "rises" : "falls", format_percent(std::fabs(*m.trend))),
                          .advice = "Let the machine reach its temperature first (--effort sustained).",
                          .evidence = {{"effect", *m.trend}},
                          .metric = name});
  }
}

// A case of a launch: its figures, without the pictures, which five times over would make the record large.
Case case_of(const Record& r, std::size_t number) {
  Case c;
  c.name = fmt::format("launch {}", number);
  c.metrics = r.metrics;
  for (auto& [name, m] : c.metrics) {
    m.curve.clear();
    m.histogram = {};
  }
  c.findings = r.findings;
  return c;
}

}  // namespace

Record merge_launches(std::vector<Record> launches, double margin) {
  Record whole = launches.front();
  whole.metrics = metrics_over(launches);
  whole.findings = findings_over(launches);
  whole.launches.clear();
  whole.duration_ns = whole.window_ns = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Record& r = launches[i];
    whole.launches.push_back(case_of(r, i + 1));
    whole.duration_ns += r.duration_ns;
    whole.window_ns += r.window_ns;
    if (r.status == Status::not_converged && whole.status != Status::interrupted) {
      whole.status = Status::not_converged;
      if (whole.status_reason.empty()) whole.status_reason = r.status_reason;
    }
    if (r.status == Status::interrupted) whole.status = Status::interrupted;
  }
  whole.settings["launches"] = static_cast<std::int64_t>(launches.size());
  add_trends(whole);
  sort_findings(whole.findings);
  tell_standings(whole, margin);
  whole.verdict = verdict_of_launches(whole);
  return whole;
}

namespace {

constexpr std::size_t kFewestLaunches = 3, kLaunchesForLevels = 5;  // with fewer, levels may be missed
constexpr std::size_t kFewestRequests = 20;
constexpr nanoseconds kShortestLaunch = 600ms;  // of --max-time, after its load
constexpr nanoseconds kStartOfProcess = 200ms;
constexpr nanoseconds kFirstPatience = 30min;  // beside the time asked for: nobody knows how long a load takes
constexpr nanoseconds kLeastPatience = 2min;

// How long another one like this would take.
nanoseconds cost_of_another(const Record& r) {
  return kStartOfProcess +
         to_nanoseconds(r.startup.load_ns.value_or(0) + r.startup.warmup_ns.value_or(0) + r.window_ns);
}

class Launches {
 public:
  explicit Launches(const RunOptions& o) : o_(o), plan_(launch_length(o.measure)) {
    if (!o.measure.max_time) return;
    const auto fits = static_cast<std::size_t>(*o.measure.max_time / kShortestLaunch);
    plan_.launches = std::min(plan_.launches, fits < kFewestLaunches ? 1 : fits);
    limit_ = *o.measure.max_time / static_cast<std::int64_t>(plan_.launches);
  }

  Record run() {
    if (plan_.launches < 2) return strobe::run(o_);
    begun_ = SteadyClock().now();
    for (std::size_t i = 1; i <= plan_.launches && !stopped() && failure_.empty() && !partial_; ++i) {
      tell(i);
      take(i);
      if (i == 1 && !launches_.empty()) allow();
    }
    if (launches_.empty()) throw Error(ErrorCode::interrupted, "interrupted before the first launch was complete");
    return whole();
  }

 private:
  bool stopped() const { return o_.measure.stop && o_.measure.stop(); }
  nanoseconds elapsed() const { return SteadyClock().now() - begun_; }
  void tell(std::size_t launch) const;
  RunOptions options_of(std::size_t launch) const;
  void take(std::size_t launch);
  void allow();
  Record whole();
  Record single();

  const RunOptions& o_;
  LaunchLength plan_;
  std::optional<nanoseconds> limit_;  // of one launch
  nanoseconds begun_{}, patience_ = kFirstPatience;
  std::vector<Record> launches_;
  std::size_t wanted_ = 0;  // more than the time allowed
  nanoseconds cost_{};      // of one more
  std::string failure_;
  bool partial_ = false;
};

void Launches::tell(std::size_t launch) const {
  if (!o_.measure.progress) return;
  Progress p;
  p.phase = fmt::format("launch {} of {}", launch, plan_.launches);
  p.elapsed = elapsed();
  if (cost_ > 0ns) p.at_most = p.elapsed + static_cast<std::int64_t>(plan_.launches - launch + 1) * cost_;
  o_.measure.progress(p);
}

RunOptions Launches::options_of(std::size_t launch) const {
  RunOptions o = o_;
  o.open.launch = launch - 1;
  o.open.prefers_stream = launch % 2 == 0 && launch < plan_.launches ? "slow" : "fast";
  o.measure.max_time = limit_;
  if (launch > 1) o.measure.samples.clear();
  return o;
}

// A launch that fails does not take those before with it; nor does one that was ended after a signal. One of another
// model does.
void Launches::take(std::size_t launch) {
  try {
    Worker worker(kRunJob, worker_options(options_of(launch)));
    Record r = record_in(worker.answer(patience_, o_.measure.stop));
    if (!launches_.empty()) check_same_files(launches_.front().model, r.model);
    const bool complete = r.status != Status::interrupted;
    partial_ = !complete;
    if (!complete) failure_ = r.status_reason;
    if (complete || launches_.empty()) launches_.push_back(std::move(r));  // a part of a launch is no observation
  } catch (const Error& e) {
    if ((launches_.empty() && !stopped()) || e.code() == ErrorCode::changed) throw;
    if (!stopped()) failure_ = e.what();
    partial_ = true;
  }
}

// The first launch tells what one costs. Where its share of the time was too short for enough requests, one launch gets
// all that is left.
void Launches::allow() {
  const Record first = launches_.front();
  cost_ = cost_of_another(first);
  patience_ = std::max(kLeastPatience, 10 * cost_);
  if (o_.measure.launches && !o_.measure.max_time) return;  // somebody decided
  const nanoseconds left = plan_.whole + to_nanoseconds(first.startup.load_ns.value_or(0)) - elapsed();
  const Metric* latency = first.find(metric::latency);
  if (limit_ && latency && latency->n < kFewestRequests && left > 2 * *limit_) {
    limit_ = left - to_nanoseconds(first.startup.load_ns.value_or(0));
    launches_.clear();
    wanted_ = std::exchange(plan_.launches, 1);
    take(1);
    if (!launches_.empty()) cost_ = cost_of_another(launches_.front());
    return;
  }
  const auto more = static_cast<std::size_t>(std::max<std::int64_t>(0, left / cost_));
  if (1 + more >= plan_.launches) return;
  wanted_ = plan_.launches;
  plan_.launches = 1 + more < kFewestLaunches ? 1 : 1 + more;
}

// Only one: as one that was measured here.
Record Launches::single() {
  Record r = std::move(launches_.front());
  if (wanted_ == 0) return r;
  std::erase_if(r.findings, [](const Finding& f) { return traits_of(f).of_one_launch; });
  r.findings.push_back(
      {.id = "one-launch",
       .severity = Severity::note,
       .message = fmt::format("there was time for one launch only: what differs between launches is not known; "
                              "{} launches would take about {}",
                              kLaunchesForLevels,
                              format_time(to_double(static_cast<std::int64_t>(kLaunchesForLevels) * cost_))),
       .advice = fmt::format("Take --launches {}, and no --max-time below that.", kLaunchesForLevels)});
  return r;
}

Record Launches::whole() {
  const bool broken = partial_ || launches_.size() < plan_.launches;
  Record r = launches_.size() == 1 ? single() : merge_launches(std::move(launches_), plan_.margin);
  if (r.launches.size() > 1 && wanted_ > 0 && r.launches.size() < kLaunchesForLevels)
    r.findings.push_back(
        {.id = "few-launches",
         .severity = Severity::note,
         .message = fmt::format("there was time for {} of {} launches: if launches fall on two levels, "
                                "one of them may be missing",
                                r.launches.size(), wanted_),
         .advice = "Give it more time (--max-time)."});
  if (broken) {
    r.status = Status::interrupted;
    r.status_reason = failure_;
  }
  r.duration_ns = to_double(elapsed());
  r.command = command_line();
  return r;
}

}  // namespace

Record run_launches(const RunOptions& o) {
  return Launches(o).run();
}

}  // namespace strobe

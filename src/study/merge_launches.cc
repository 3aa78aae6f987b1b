// SPDX-License-Identifier: Apache-2.0
#include "study/merge_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/estimates.h"
#include "record/metric_info.h"
#include "stats/agreeing_limits.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"
#include "verdict/judge.h"
#include "verdict/standing.h"

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

}  // namespace strobe

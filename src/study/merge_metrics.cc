// SPDX-License-Identifier: Apache-2.0
#include "study/merge_metrics.h"

#include <algorithm>
#include <utility>

#include "record/estimates.h"
#include "stats/agreeing_limits.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"

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

// What is a share of 0? As wide as the widest of the launches.
void hold_zeros(const std::vector<const Metric*>& metrics, Estimate& e) {
  const auto zero = [](const Metric* m) { return m->estimate.value <= 0; };
  if (!e.bounded() || std::none_of(metrics.begin(), metrics.end(), zero)) return;
  for (const Metric* m : metrics) {
    e.low = std::min(*e.low, m->estimate.low.value_or(*e.low));
    e.high = std::max(*e.high, m->estimate.high.value_or(*e.high));
  }
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
  hold_zeros(metrics, m.estimate);
  m.launch_spread = stats::relative_spread(medians);
  if (means.size() == metrics.size()) m.mean = next_launch(means, within);
  tell_levels(medians, slow, within, m);
  m.trend = stats::launch_trend(medians);
  m.percentiles = percentiles_over(metrics);
  let_limits_agree(m);
  return m;
}

// A later launch leaves out what only the first looks at; what it tried and could not measure is unknown to all.
Metric metric_named(const std::string& name, const std::vector<const Metrics*>& launches,
                    const std::vector<bool>& slow) {
  const Metric& first = launches.front()->at(name);
  std::vector<const Metric*> known;
  std::string unknown;
  std::size_t tried = 0;
  for (const Metrics* metrics : launches) {
    const auto m = metrics->find(name);
    if (m == metrics->end()) continue;
    ++tried;
    if (m->second.known())
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

}  // namespace

Metrics merge_metrics(const std::vector<const Metrics*>& launches, const std::vector<bool>& slow_streams) {
  Metrics all;
  for (const auto& [name, first] : *launches.front()) all[name] = metric_named(name, launches, slow_streams);
  return all;
}

}  // namespace strobe

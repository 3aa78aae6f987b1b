// SPDX-License-Identifier: Apache-2.0
// What changes over time: warm-up, drift, steps, modes, one pass in the next.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// The metric in which something is strongest, of those that carry the result.
template <class Size>
const Metrics::value_type* strongest(const Record& r, Size&& size) {
  const Metrics::value_type* best = nullptr;
  for (const auto& m : r.metrics) {
    const bool carries = m.first == metric::latency || m.first == metric::device_time || m.first == metric::span ||
                         m.first == metric::reading;
    if (!carries || !m.second.known() || size(m.second) <= 0) continue;
    if (!best || size(m.second) > size(best->second)) best = &m;
  }
  return best;
}

double largest_shift(const Metric& m) {
  double worst = 0;
  for (const LevelShift& s : m.facts.shifts) worst = std::max(worst, std::fabs(s.ratio - 1));
  return worst;
}

// A step looks like a drift, and a drift like small steps: whichever is larger names it.
double drift_size(const Metric& m) {
  const double size = m.facts.drifting ? std::fabs(m.facts.drift.value_or(0)) : 0;
  return largest_shift(m) > size ? 0 : size;
}
double shift_size(const Metric& m) {
  return m.facts.drifting && std::fabs(m.facts.drift.value_or(0)) >= largest_shift(m) ? 0 : largest_shift(m);
}

}  // namespace

std::optional<Finding> no_warm_up(const Record& r) {
  const auto* m = strongest(r, [](const Metric& x) { return std::fabs(x.facts.warmup_bias.value_or(0)); });
  if (!m) return {};
  const double bias = *m->second.facts.warmup_bias;
  return Finding{.id = "no-warm-up",
                 .severity = by_effect(std::fabs(bias), r, m->first),
                 .message = fmt::format("the first requests are still {}: they {} the mean of {} by {}",
                                        bias > 0 ? "warming up" : "faster than the rest", bias > 0 ? "raise" : "lower",
                                        metric_label(m->first), format_percent(std::fabs(bias))),
                 .advice = std::string(study_info(r).advice.warm_up),
                 .evidence = {{"bias", bias}},
                 .metric = m->first};
}

// The figure stands for the middle of the window: its ends are half of the change away.
std::optional<Finding> drift(const Record& r) {
  const auto* m = strongest(r, drift_size);
  if (!m) return {};
  const double d = *m->second.facts.drift;
  return Finding{
      .id = "drift",
      .severity = by_effect(std::fabs(d) / 2, r, m->first),
      .message = fmt::format("{} {} by {} over the window: the result depends on when it was measured",
                             metric_label(m->first), d > 0 ? "rises" : "falls", format_percent(std::fabs(d))),
      .advice = "Let the machine reach its temperature (--effort sustained), or fix its clocks.",
      .evidence = {{"drift", d}},
      .metric = m->first};
}

std::optional<Finding> level_shift(const Record& r) {
  const auto* m = strongest(r, shift_size);
  if (!m) return {};
  const auto& shifts = m->second.facts.shifts;
  const LevelShift& worst = *std::max_element(
      shifts.begin(), shifts.end(),
      [](const LevelShift& a, const LevelShift& b) { return std::fabs(a.ratio - 1) < std::fabs(b.ratio - 1); });
  const std::string what =
      m->second.facts.regime_switching
          ? fmt::format("{} switches between levels ({} changes), the largest {}", metric_label(m->first),
                        shifts.size(), format_percent(std::fabs(worst.ratio - 1)))
          : fmt::format("{} {} by {} at {:.1f} s", metric_label(m->first), worst.ratio > 1 ? "rises" : "falls",
                        format_percent(std::fabs(worst.ratio - 1)), worst.at_seconds);
  return Finding{.id = "level-shift",
                 .severity = by_effect(shift_size(m->second), r, m->first),
                 .message = what,
                 .advice =
                     "Find out what changed: clocks, power limit, another process. Measure longer to see both levels "
                     "in their share.",
                 .evidence = {{"ratio", worst.ratio}, {"at_s", worst.at_seconds}},
                 .metric = m->first};
}

std::optional<Finding> bimodal(const Record& r) {
  const auto distance = [](const Metric& m) {
    if (m.facts.modes.size() < 2 || m.estimate.value <= 0) return 0.0;
    const double d = (m.facts.modes.back().value - m.facts.modes.front().value) / m.estimate.value;
    return d > 0.01 ? d : 0.0;  // closer modes make no difference to anybody
  };
  const auto* m = strongest(r, distance);
  if (!m) return {};
  std::string modes;
  for (const Mode& mode : m->second.facts.modes)
    modes += fmt::format("{}{} ({})", modes.empty() ? "" : ", ", format_time(mode.value), format_percent(mode.share));
  return Finding{.id = "bimodal",
                 .severity = by_effect(distance(m->second), r, m->first),
                 .message = fmt::format("{} has {} modes, {}, {}: no single number describes it",
                                        metric_label(m->first), m->second.facts.modes.size(), modes,
                                        m->second.facts.modes_ordered ? "one after the other" : "mixed"),
                 .advice = m->second.facts.modes_ordered
                               ? "Find out what switches: clocks, power, another process."
                               : "Look for what differs between requests: inputs, code paths, allocation.",
                 .evidence = {{"distance", distance(m->second)}},
                 .metric = m->first};
}

// The figure is over both halves, of which the second is settled: it is off by half of their difference.
std::optional<Finding> pass_coupling(const Record& r) {
  const auto* m =
      strongest(r, [](const Metric& x) { return x.facts.coupled ? std::fabs(x.facts.coupling.value_or(1) - 1) : 0; });
  if (!m) return {};
  const double effect = *m->second.facts.coupling - 1;
  return Finding{
      .id = "pass-coupling",
      .severity = by_effect(std::fabs(effect) / 2, r, m->first),
      .message = fmt::format(
          "{} differs by {} between the first and the second half of a segment: the previous pass still affects it",
          metric_label(m->first), format_percent(std::fabs(effect))),
      .advice = "Do not trust smaller differences: caches and clocks need longer to settle between passes.",
      .evidence = {{"coupling", effect}},
      .metric = m->first};
}

}  // namespace strobe

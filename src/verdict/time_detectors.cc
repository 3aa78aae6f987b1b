// SPDX-License-Identifier: Apache-2.0
// What changes over time: warm-up, drift, steps, modes, one pass in the next.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// What a reader takes away, and the verdict is decided by. A rate has no series: what moves it moves one of these. The
// span is looked at briefly in the first launch, for its median alone; its trends were most of the false alarms. Where
// somebody else took the times, it is what they took.
bool carries_result(const Record& r, std::string_view name) {
  if (study_info(r).foreign && name == metric::span) return true;
  constexpr std::array<std::string_view, 4> kCarrying{metric::latency, metric::device_time, metric::replay_time,
                                                      metric::reading};
  return std::find(kCarrying.begin(), kCarrying.end(), name) != kCarrying.end();
}

using InMetric = std::optional<Finding> (*)(const Record&, const std::string& name, const Metric&);

// Each metric for itself: a large effect in one hides no small one in another, and its noise raises no threshold but
// its own.
std::vector<Finding> in_each_metric(const Record& r, InMetric detect) {
  std::vector<Finding> findings;
  for (const auto& [name, m] : r.metrics) {
    if (!carries_result(r, name) || !m.known()) continue;
    if (auto finding = detect(r, name, m)) findings.push_back(std::move(*finding));
  }
  return findings;
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

std::optional<Finding> no_warm_up_of(const Record& r, const std::string& name, const Metric& m) {
  const double bias = m.facts.warmup_bias.value_or(0);
  if (bias == 0) return {};
  return Finding{.id = "no-warm-up",
                 .severity = by_effect(std::fabs(bias), r, name),
                 .message = fmt::format("the first requests are still {}: they {} the mean of {} by {}",
                                        bias > 0 ? "warming up" : "faster than the rest", bias > 0 ? "raise" : "lower",
                                        metric_label(name), format_percent(std::fabs(bias))),
                 .advice = std::string(study_info(r).advice.warm_up),
                 .evidence = {{"bias", bias}},
                 .metric = name};
}

// The figure stands for the middle of the window: its ends are half of the change away.
std::optional<Finding> drift_of(const Record& r, const std::string& name, const Metric& m) {
  if (drift_size(m) <= 0) return {};
  const double d = *m.facts.drift;
  return Finding{.id = "drift",
                 .severity = by_effect(std::fabs(d) / 2, r, name),
                 .message = fmt::format("{} {} by {} over the window: the result depends on when it was measured",
                                        metric_label(name), d > 0 ? "rises" : "falls", format_percent(std::fabs(d))),
                 .advice = "Let the machine reach its temperature (--effort sustained), or fix its clocks.",
                 .evidence = {{"drift", d}},
                 .metric = name};
}

std::optional<Finding> level_shift_of(const Record& r, const std::string& name, const Metric& m) {
  if (shift_size(m) <= 0) return {};
  const auto& shifts = m.facts.shifts;
  const LevelShift& worst = *std::max_element(
      shifts.begin(), shifts.end(),
      [](const LevelShift& a, const LevelShift& b) { return std::fabs(a.ratio - 1) < std::fabs(b.ratio - 1); });
  const std::string what =
      m.facts.regime_switching
          ? fmt::format("{} switches between levels ({} changes), the largest {}", metric_label(name), shifts.size(),
                        format_percent(std::fabs(worst.ratio - 1)))
          : fmt::format("{} {} by {} at {:.1f} s", metric_label(name), worst.ratio > 1 ? "rises" : "falls",
                        format_percent(std::fabs(worst.ratio - 1)), worst.at_seconds);
  Finding f{.id = "level-shift",
            .severity = by_effect(shift_size(m), r, name),
            .message = what,
            .advice =
                "Find out what changed: clocks, power limit, another process. Measure longer to see both levels "
                "in their share.",
            .evidence = {{"ratio", worst.ratio}, {"at_s", worst.at_seconds}},
            .metric = name};
  // Of several steps the largest goes up or down by chance.
  if (!m.facts.regime_switching) f.evidence["shift"] = worst.ratio - 1;
  return f;
}

// Relative to the median; none where the modes are so close that it makes no difference to anybody.
double distance_of_modes(const Metric& m) {
  constexpr double kWorthSaying = 0.01;
  if (m.facts.modes.size() < 2 || m.estimate.value <= 0) return 0;
  const double distance = (m.facts.modes.back().value - m.facts.modes.front().value) / m.estimate.value;
  return distance > kWorthSaying ? distance : 0;
}

std::optional<Finding> bimodal_of(const Record& r, const std::string& name, const Metric& m) {
  const double distance = distance_of_modes(m);
  if (distance <= 0) return {};
  std::string modes;
  for (const Mode& mode : m.facts.modes)
    modes += fmt::format("{}{} ({})", modes.empty() ? "" : ", ", format_time(mode.value), format_percent(mode.share));
  return Finding{
      .id = "bimodal",
      .severity = by_effect(distance, r, name),
      .message = fmt::format("{} has {} modes, {}, {}: no single number describes it", metric_label(name),
                             m.facts.modes.size(), modes, m.facts.modes_ordered ? "one after the other" : "mixed"),
      .advice = m.facts.modes_ordered ? "Find out what switches: clocks, power, another process."
                                      : "Look for what differs between requests: inputs, code paths, allocation.",
      .evidence = {{"distance", distance}},
      .metric = name};
}

// The figure is over both halves, of which the second is settled: it is off by half of their difference.
std::optional<Finding> pass_coupling_of(const Record& r, const std::string& name, const Metric& m) {
  const double effect = m.facts.coupled ? m.facts.coupling.value_or(1) - 1 : 0;
  if (effect == 0) return {};
  return Finding{
      .id = "pass-coupling",
      .severity = by_effect(std::fabs(effect) / 2, r, name),
      .message = fmt::format(
          "{} differs by {} between the first and the second half of a segment: the previous pass still affects it",
          metric_label(name), format_percent(std::fabs(effect))),
      .advice = "Do not trust smaller differences: caches and clocks need longer to settle between passes.",
      .evidence = {{"coupling", effect}},
      .metric = name};
}

}  // namespace

std::vector<Finding> no_warm_up(const Record& r) {
  return in_each_metric(r, no_warm_up_of);
}
std::vector<Finding> drift(const Record& r) {
  return in_each_metric(r, drift_of);
}
std::vector<Finding> level_shift(const Record& r) {
  return in_each_metric(r, level_shift_of);
}
std::vector<Finding> bimodal(const Record& r) {
  return in_each_metric(r, bimodal_of);
}
std::vector<Finding> pass_coupling(const Record& r) {
  return in_each_metric(r, pass_coupling_of);
}

}  // namespace strobe

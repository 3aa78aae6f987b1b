// SPDX-License-Identifier: Apache-2.0
// What doubts joules: how the counter was read, and what else is in it.
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "verdict/detectors.h"

namespace strobe {

// Five windows tell a scatter; a counter that cannot be read to 1 % of a window tells nothing finer.
std::optional<Finding> energy_windows(const Record& r) {
  constexpr std::size_t kFewest = 5;
  constexpr double kCoarse = 0.01;
  const EnergyAnswer& e = r.energy;
  if (e.windows.empty()) return {};
  const double effect = e.error;
  const std::map<std::string, double, std::less<>> evidence{{"windows", static_cast<double>(e.windows.size())},
                                                            {"effect", effect}};
  const std::string length = format_time(e.windows.front().length_ns);
  if (effect > kCoarse)
    return Finding{
        .id = "energy-windows",
        .severity = Severity::warning,
        .message = fmt::format("windows of {} are short for this counter of energy, which steps every {} and "
                               "takes {} to read: each may be off by {}",
                               length, format_time(e.step_ns), format_time(e.read_ns), format_percent(effect)),
        .advice = "Take longer windows (--effort sustained).",
        .evidence = evidence,
        .metric = metric::energy};
  if (e.windows.size() >= kFewest) return {};
  return Finding{.id = "energy-windows",
                 .severity = Severity::note,
                 .message = fmt::format("energy was read in {} of {} only",
                                        counted(e.windows.size(), "window", "windows"), length),
                 .advice = "Give it more time (--max-time), or more --launches.",
                 .evidence = evidence,
                 .metric = metric::energy};
}

// How much of the board's energy is somebody else's, no counter tells: every such figure is an upper limit.
std::optional<Finding> energy_shared(const Record& r) {
  if (r.energy.windows.empty()) return {};
  const auto others = fact<std::int64_t>(r.device.facts, "other_processes").value_or(0);
  const bool mig = fact<bool>(r.device.facts, "mig").value_or(false);
  if (others == 0 && !mig) return {};
  return Finding{
      .id = "energy-shared",
      .about = About::machine,
      .severity = Severity::warning,
      .message = mig ? "the counter is that of the whole board, of which this is a part (MIG): what the "
                       "other parts take is in the energy"
                     : fmt::format("what {} on this GPU {} is in the energy",
                                   counted(static_cast<std::uint64_t>(others), "other process", "other processes"),
                                   others == 1 ? "takes" : "take"),
      .advice = "Measure energy on a board that nobody else uses.",
      .evidence = {{"processes", static_cast<double>(others)}},
      .metric = metric::energy};
}

// Half of the difference, for as long as a request takes, is what the net energy may be off.
std::optional<Finding> energy_baseline(const Record& r) {
  constexpr double kNoted = 0.02;  // of the idle power
  const EnergyAnswer& e = r.energy;
  const Metric *net = r.find(metric::energy_net), *gross = r.find(metric::energy), *power = r.find(metric::power);
  if (!e.idle_before_w || !e.idle_after_w || !net || !gross || !power || power->estimate.value <= 0) return {};
  const double apart = std::fabs(*e.idle_after_w - *e.idle_before_w);
  if (apart < kNoted * *e.idle_before_w) return {};
  const double seconds = gross->estimate.value / power->estimate.value;
  const double effect = net->estimate.value > 0 ? apart / 2 * seconds / net->estimate.value : 0;
  return Finding{
      .id = "energy-baseline",
      .severity = by_effect(effect, *net),
      .message = fmt::format("idle the device took {} before the windows and {} after them: the net energy "
                             "may be off by {}",
                             figure(*e.idle_before_w, unit::watts).plain(),
                             figure(*e.idle_after_w, unit::watts).plain(), format_percent(effect)),
      .advice = "Let the device come to its temperature first (--effort sustained), or take the gross energy.",
      .evidence = {{"before_w", *e.idle_before_w}, {"after_w", *e.idle_after_w}, {"effect", effect}},
      .metric = metric::energy_net};
}

}  // namespace strobe

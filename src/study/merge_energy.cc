// SPDX-License-Identifier: Apache-2.0
#include "study/merge_energy.h"

#include <algorithm>
#include <optional>

#include "stats/mean.h"

namespace strobe {
namespace {

std::optional<double> idle_mean(const std::vector<Record>& launches, std::optional<double> EnergyAnswer::* watts) {
  std::vector<double> seen;
  for (const Record& r : launches) {
    if (r.energy.*watts) seen.push_back(*(r.energy.*watts));
  }
  return seen.empty() ? std::nullopt : std::optional(stats::mean(seen));
}

}  // namespace

EnergyAnswer merge_energy(const std::vector<Record>& launches) {
  EnergyAnswer whole = launches.front().energy;
  whole.windows.clear();
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const EnergyAnswer& of = launches[i].energy;
    for (EnergyWindowResult w : of.windows) {
      w.launch = i + 1;
      whole.windows.push_back(w);
    }
    whole.error = std::max(whole.error, of.error);
    whole.took_ns = std::max(whole.took_ns, of.took_ns);
  }
  whole.idle_before_w = idle_mean(launches, &EnergyAnswer::idle_before_w);
  whole.idle_after_w = idle_mean(launches, &EnergyAnswer::idle_after_w);
  return whole;
}

}  // namespace strobe

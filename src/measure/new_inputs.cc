// SPDX-License-Identifier: Apache-2.0
#include "measure/new_inputs.h"

#include <vector>

#include "device/device.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr std::size_t kKnown = 2;              // as many as a run has in rotation
constexpr nanoseconds kWarmKnown = 100ms;      // the known sets take turns for this long first …
constexpr std::size_t kWarmKnownRequests = 6;  // … and for this many requests
constexpr nanoseconds kLongest = 2s;           // no further pairs after this, once there are enough
constexpr std::size_t kEnoughPairs = 3;

double time_request(Workload& workload, std::size_t set) {
  Clock& clock = workload.stream().device().clock();
  const nanoseconds begin = clock.now();
  workload.submit(set);
  workload.stream().synchronize();
  return to_double(clock.now() - begin);
}

}  // namespace

// Each new set stands between two known ones, so that a machine that slows down meanwhile slows both.
std::optional<double> new_input_ratio(Workload& workload, Conductor& conductor) {
  if (workload.input_sets() < 2 * kKnown) return std::nullopt;
  Clock& clock = workload.stream().device().clock();
  const Goal known{.until = clock.now() + kWarmKnown, .least = kWarmKnownRequests};
  for (std::size_t i = 0; conductor.more(known, {i, i}, clock.now()); ++i) time_request(workload, i % kKnown);
  std::vector<double> ratios;
  const nanoseconds warm = clock.now();
  for (std::size_t set = kKnown; set < workload.input_sets(); ++set) {
    if (conductor.stopped()) return std::nullopt;
    if (ratios.size() >= kEnoughPairs && conductor.reached(warm + kLongest, clock.now())) break;
    const double before = time_request(workload, 0), fresh = time_request(workload, set),
                 after = time_request(workload, 1);
    ratios.push_back(2 * fresh / (before + after));
  }
  return stats::middle_of(std::move(ratios));
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Energy of requests: windows of seconds in which the queue is always full, between two steps of the device's counter,
// and before and after them what the device takes while nothing is asked of it, its context alive. Never from one
// request: a counter steps every 100 ms. What follows from them is in energy_metrics.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/workload.h>

#include "base/units.h"
#include "device/energy.h"
#include "measure/conductor.h"
#include "measure/energy_edges.h"

namespace strobe {

// How much of it a launch does. A window is at least 5 s: public comparisons with integrated power saw a counter 26 %
// off over 0.5 s, 4 % over 2 s and about right over 5 s.
struct EnergyLength {
  std::size_t windows = 3;
  nanoseconds window = 5s;
  nanoseconds idle = 5s;  // before the windows, and after them; 0: no baseline
};

// By effort: at least five windows in all launches, and three in each.
EnergyLength energy_length(const Options&, std::size_t launches);
// What that takes, where requests are short.
nanoseconds energy_time(const EnergyLength&);

struct EnergyPlan {
  EnergyLength length = {};
  std::size_t in_flight = 4;
  Copies copies = Copies::none;
  nanoseconds typical{};                      // of a request
  nanoseconds deadline = nanoseconds::max();  // on the device's clock
  std::uint64_t seed = 0;                     // of random phases
};

struct EnergyWindow {
  EnergyStretch stretch = {};
  double requests = 0;  // completed between its two edges; a part of one counts as that part
};

struct EnergySamples {
  std::string source = {}, scope = {};
  std::vector<EnergyWindow> windows = {};
  std::optional<EnergyStretch> idle_before = {}, idle_after = {};
  nanoseconds step{};        // of the counter
  nanoseconds read{};        // what one reading of it takes
  nanoseconds took{};        // all of it
  std::string why_not = {};  // not empty: there is no window, and this is why
  bool stopped = false;      // by the conductor
};

// The workload is warm. Never throws for the counter's sake.
EnergySamples measure_energy(Workload&, const EnergyPlan&, Conductor&);

}  // namespace strobe

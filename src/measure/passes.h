// SPDX-License-Identifier: Apache-2.0
// What can be measured of a workload: the passes that its device, its gate and the options allow. Where a metric that
// belongs there cannot be had, the measurement says why.
#pragma once

#include <functional>

#include "measure/measurement.h"

namespace strobe {

// A measurement with nothing in it yet, begun now; what is watched already goes on being watched.
// Only the first launch calibrates.
Measurement begin_measurement(Workload&, std::shared_ptr<Surroundings> = nullptr, std::size_t launch = 1);

// Is a look at its outputs worth the requests that it takes? Of a model always; of a function of the user's, whose
// calls may differ by design, not where one takes long.
bool worth_checking(Workload&, nanoseconds typical);

// What there is time for; by default for everything until somebody stops it.
struct TimeLeft {
  Conductor& conductor;                                   // stopped: by somebody, or because the time is up
  std::function<bool(std::size_t requests)> enough = {};  // for this many that are not measured

  bool over() const { return conductor.stopped(); }
  bool allows(std::size_t requests) const { return !over() && (!enough || enough(requests)); }
};

// After the probe: it needs its figures, and a workload that is warm. Without time left only the latency.
void choose_passes(Workload&, const Options&, const TimeLeft&, Measurement&, std::size_t& next_request);

// The kernels of one request, where nobody has told, and what they say of a gate that tripped. After everything that is
// measured.
void count_request_kernels(Workload&, Measurement&, std::size_t& next_request);

// Takes the passes that tripped the gate out, each with its reason. The others are proved safe by themselves: a graph
// may be queued where the eager workload waits, and only the latter is what `Measurement::gate` speaks of.
void drop_tripped(Measurement&);

}  // namespace strobe

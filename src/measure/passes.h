// What can be measured of a workload: the passes that its device, its gate and the options allow. Where a metric that
// belongs there cannot be had, the measurement says why.
#pragma once

#include "measure/measurement.h"

namespace strobe {

// A measurement with nothing in it yet, begun now.
Measurement begin_measurement(Workload&);

// After the probe: it needs its figures, and a workload that is warm. On a stopped run only the latency.
void choose_passes(Workload&, const Options&, bool stopped, Measurement&, std::size_t& next_request);

// Takes the passes that tripped the gate out, each with its reason. The others are proved safe by themselves: a graph
// may be queued where the eager workload waits, and only the latter is what `Measurement::gate` speaks of.
void drop_tripped(Measurement&);

}  // namespace strobe

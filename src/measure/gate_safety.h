// SPDX-License-Identifier: Apache-2.0
// May this workload be queued behind a closed gate? Proved, not assumed: two requests behind one gate must return
// without the watchdog and in at most twice the time that submitting takes ungated; where the watchdog opens it, one.
// That tests room in the queue and hidden synchronisation at once; slow ones are tried three times, because a busy
// machine delays some. The workload must have been warmed up on these shapes; where it has more than two input sets,
// each is run once more.
#pragma once

#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"

namespace strobe {

// How long the watchdog waits before it opens a gate behind which such requests are submitted.
nanoseconds gate_patience(nanoseconds ungated_submit);

GateObservation prove_gate(Workload&, nanoseconds ungated_submit, std::size_t& next_request);

// Of a graph that has not run yet. Its first replays may upload it, and take long for that: what refuses the first
// proof must refuse a second one, too.
GateObservation prove_graph_gate(Workload& graph, nanoseconds eager_submit, std::size_t& next_request);

}  // namespace strobe

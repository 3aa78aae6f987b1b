// SPDX-License-Identifier: Apache-2.0
// What a run of interleaved passes leaves behind: every sample, where the steady part begins, and why it ended. Turning
// it into figures is analysis.h's job.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "host/salvage.h"
#include "measure/calibration.h"
#include "measure/conductor.h"
#include "measure/energy.h"
#include "measure/idle.h"
#include "measure/method.h"
#include "measure/probe.h"
#include "measure/sample.h"
#include "measure/segment.h"
#include "measure/series.h"
#include "measure/surroundings.h"
#include "measure/union_time.h"
#include "workload/pin.h"

namespace strobe {

inline constexpr nanoseconds kSlowRequest = 100ms;  // above this a segment is 5 requests, not 10

struct RoundWindow {
  nanoseconds begin{};  // of the segment, since the run began
  FullWindow full = {};
};

struct PassSamples {
  Pass pass;
  Workload* workload = nullptr;
  nanoseconds typical{};  // of one sample, rather too short than too long
  Samples samples = {};
  std::vector<RoundWindow> windows = {};  // of a full queue
  bool tripped = false;                   // it waited for its own work behind the gate
};

struct Measurement {
  std::shared_ptr<Surroundings> around;
  std::vector<PassSamples> passes;
  std::vector<std::pair<std::string, std::string>> unknown;  // metrics that could not be measured, and why
  std::optional<std::uint64_t> kernels;                      // of one request
  std::unique_ptr<Workload> replay;                          // the captured graph, when one was asked for
  std::unique_ptr<Workload> host_io;                         // requests through the runtime's host tensors
  bool asynchronous = false;
  std::size_t launch = 1;
  Probe probe;
  GateObservation gate;
  nanoseconds begun{};                  // on the device's clock
  nanoseconds end{};                    // since then
  std::optional<nanoseconds> cut;       // samples that begin before this are warm-up; none: all are
  Status status = Status::fixed;        // not converged: the time was up before there was enough
  std::string failure;                  // not empty: the device failed, and what there is was measured before
  UnionTimes united;                    // asynchronous devices only
  std::vector<IdleSamples> idle;        // by the pauses that were asked for
  std::optional<EnergySamples> energy;  // where it was asked for
  Calibration calibration;
  std::size_t requests_before_cut = 0;
  std::optional<double> allocations_per_request;  // after the first requests
  std::size_t items = 1;
  std::size_t copied_in = 0, copied_out = 0;  // bytes of one request, where copies were measured
  double tick = 1;                            // of the device's marks, ns

  nanoseconds steady_from() const { return cut.value_or(end); }
  // Resolution of a column in nanoseconds per request: a block of requests shares one reading.
  double tick_of(Column c) const { return c == Column::device ? tick : 1.0 / probe.requests_per_sample; }
};

// How rounds are measured beside what the user asked for.
struct Rounded {
  std::size_t launch = 1;                          // later ones measure only what all launches repeat
  Remains<const Measurement*>* remains = nullptr;  // gives another thread what was measured before a request that does
                                                   // not end: nothing where there is no sample yet
  PinRule pin = {};                                // where the thread stays once the workload is warm
  Conductor* conductor = nullptr;                  // who gives one has told it of `Options::stop`
};

// One launch. Never throws for an interrupted run: what there is comes back.
Measurement measure_rounds(Workload&, const Options&, const Rounded& = {});

}  // namespace strobe

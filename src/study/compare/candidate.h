// SPDX-License-Identifier: Apache-2.0
// One launch of one side of a comparison: loaded once and asked for a few turns, in a fresh process or in this one.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <strobe/record.h>
#include <strobe/study.h>

#include "measure/turns.h"
#include "study/run.h"

namespace strobe {

struct CandidateOptions {
  std::string name;
  RunOptions run;              // with measure.graph the captured graph is what is run, not the eager form
  MakeWorkload callable = {};  // instead of a model; its device and pin: run.measure
  bool any_stream = true;      // it takes whatever stream it gets
};

struct Watched {
  Observations observations;
  Telemetry telemetry;
};

class TurnTaker {
 public:
  virtual ~TurnTaker() = default;
  virtual void load() = 0;
  // Also the bytes that this took: on the device where it has memory of its own, else resident. Only a fresh process
  // can tell: one that has loaded before keeps memory.
  virtual std::uint64_t load_and_weigh() = 0;
  virtual TurnReadings turn() = 0;  // empty: stopped
  // Model, device, settings, startup, observations, and metrics that are unknown: after the first turn.
  virtual Record describe() = 0;
  virtual Watched watched() = 0;  // beside all turns; to be asked once, at the end
};

using MakeCandidate = std::unique_ptr<TurnTaker> (*)(const CandidateOptions&);

std::unique_ptr<TurnTaker> local_candidate(const CandidateOptions&);
// Between two questions its process is stopped: a thread pool that spins on must not take the CPU from the other side.
std::unique_ptr<TurnTaker> worker_candidate(const CandidateOptions&);

// The worker's end of a dialogue: a line in, a line out, until the input ends.
void serve_candidate(const CandidateOptions&, std::istream&, std::ostream&);

}  // namespace strobe

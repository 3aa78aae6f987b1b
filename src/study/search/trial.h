// SPDX-License-Identifier: Apache-2.0
// One point of a search: a batch, a number of streams, requests in flight. A model is tried in a worker of its own,
// because trying may end in exhausted memory, a crash or a hang, and none of these may end the search.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <strobe/record.h>

#include "measure/closed_loop.h"
#include "workload/open_model.h"

namespace strobe {

struct TrialPoint {
  std::int64_t batch = 1;  // 0: as the model has it
  std::size_t streams = 1;
  std::size_t in_flight = 1;
  Copies copies = Copies::none;
};

// A percentile of latency_loaded that must stay within a limit.
struct LatencyBound {
  double limit_ns = 0;
  double percentile = 0.99;
};

struct TrialPlan {
  TrialPoint point;
  double shortest_seconds = 2, longest_seconds = 10;
  double margin = 0.01;
  std::optional<LatencyBound> bound;          // then the trial goes on until that is decided, if it can
  std::size_t looks = kLooks;                 // among which the error of that decision is divided
  bool energy = false;                        // also that of requests
  bool once = false;                          // a few requests: does it fit?
  bool first = false;                         // of a search: nobody knows yet whether the words make sense
  bool check_outputs = false;                 // the first and last items against those of the smallest batch
  std::int64_t smallest = 1;                  // batch that the model takes
  std::optional<std::uint64_t> memory_limit;  // bytes, of the whole process on the CPU
};

// The point as it is run. A runtime may have other streams than it was asked for, and work that is done when its call
// returns has one request in flight.
TrialPoint point_run(Workload& first, TrialPoint);

// Its name and settings.
void describe_point(const TrialPoint&, Case&);

// Requests of these sessions as the plan says, `between` before each stretch. What was measured is in the record, the
// rest in `found`. Throws Error (interrupted) where the conductor was stopped.
void measure_trial(std::span<Workload* const>, const PinRule&, const TrialPlan&, Conductor&,
                   const std::function<void()>& between, TrialResult& found, Record&);

// In this process. Throws whatever loading and running throw.
Record run_trial(const OpenOptions&, const TrialPlan&, const std::function<bool()>& stop);

// What became of a point, and on what: model, device, telemetry, observations are those of `about`.
struct Trial {
  Case result;
  Record about;
};

// In a worker: every end is an outcome. The plan has the batch. In the first trial of a search mistakes in the options
// are thrown, because no other point would mend them.
Trial try_point(const OpenOptions&, const TrialPlan&, const std::function<bool()>& stop);

// met, not-met or cannot-tell: what latencies, in the order of completion, say of a bound. `looks`: how often it will
// be asked at most; each is a chance to be wrong.
std::string decide(const LatencyBound&, std::span<const double> latencies, std::size_t looks);

// The worker's end.
TrialPlan trial_of(const nlohmann::json&);

}  // namespace strobe

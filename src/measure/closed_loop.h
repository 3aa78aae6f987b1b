// SPDX-License-Identifier: Apache-2.0
// Requests as fast as they are answered: one loop on each workload's own thread, each with a fixed number outstanding,
// and from their completions a rate and a latency under load.
//
// Rate = items · Σ(k − 1) / Σ(last − first completion) over stretches: a stretch begins when every stream has completed
// as many requests as it keeps outstanding (before that queues were still filling) and ends when the first stream stops
// (after that they run empty). What lies outside is left out on purpose.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"
#include "measure/conductor.h"
#include "measure/surroundings.h"
#include "workload/pin.h"

namespace strobe {

struct LoopPlan {
  std::size_t in_flight = 1;  // of each stream; on an inline device always 1, of a runtime's own streams its own
  Copies copies = Copies::none;
  nanoseconds shortest = 2s, longest = 10s;  // after the warm-up
  double margin = 0.01;                      // of the rate
  std::optional<double> percentile = {};     // of latency_loaded, beside the usual ones
  // Asked with the latencies so far, in the order of completion: true when they are enough. Instead of the margin.
  std::function<bool(std::span<const double>)> enough = {};
  PinRule pin = {};                    // where a single stream's thread stays once it is warm; several stay where named
  Conductor* conductor = nullptr;      // none: this clock and these completions decide
  std::function<void()> between = {};  // before each stretch, outside all that counts
};

// How often it is looked whether enough is known: after `shortest`, twice and four times that, and at the end. Each
// look is a chance to stop on luck, so whoever decides by them divides its error among this many.
inline constexpr std::size_t kLooks = 4;

struct LoopResult {
  Metric throughput, latency_loaded;
  std::vector<double> latencies;  // ns, in the order of completion
  nanoseconds first{};            // the very first request
  nanoseconds window{};
  std::size_t requests = 0;  // that count
  std::shared_ptr<Surroundings> around;
  bool stopped = false;
};

// So many requests on each, as a loop makes them, and nothing is timed: does it run at all?
void run_a_few(std::span<Workload* const>, const LoopPlan&, std::size_t requests);

// One workload, one thread; a single workload runs on the caller's. Throws what a loop throws.
LoopResult run_closed_loop(std::span<Workload* const>, const LoopPlan&);

}  // namespace strobe

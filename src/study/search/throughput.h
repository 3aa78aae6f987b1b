// SPDX-License-Identifier: Apache-2.0
// `strobe throughput`: the best batch, the largest that fits, and the best within a latency bound. Every point is tried
// in a worker of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "study/search/trial.h"
#include "workload/open_model.h"

namespace strobe {

struct ThroughputPlan {
  OpenOptions open;                   // the batch is what is searched
  std::vector<std::int64_t> batches;  // only these; empty: search
  std::vector<std::size_t> streams = {1};
  std::vector<std::size_t> in_flight =
      {};  // empty: 1 on the CPU, on a device with a queue 4, and within a bound 1, 2 and 4
  Copies copies = Copies::none;
  std::optional<LatencyBound> bound;
  double shortest_seconds = 2, longest_seconds = 10, margin = 0.01;  // of each trial
  double soak_seconds = 30;                                          // of the largest batch
  bool largest = true;                                               // look for it
  std::optional<std::uint64_t> memory_limit;  // of a trial on the CPU; by default nine tenths of what is free
  std::optional<nanoseconds> max_time = {};   // of the whole search; a trial that has not ended by then is dropped
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

Record throughput(const ThroughputPlan&);

}  // namespace strobe

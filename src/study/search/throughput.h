// SPDX-License-Identifier: Apache-2.0
// `strobe throughput`: the best batch, the largest that fits, and the best within a latency bound. Every point of a
// model is tried in a worker of its own.
#pragma once

#include <functional>
#include <optional>

#include <strobe/record.h>
#include <strobe/study.h>

#include "base/units.h"
#include "study/search/trial.h"
#include "workload/open_model.h"

namespace strobe {

struct ThroughputPlan : ThroughputOptions {
  OpenOptions open = {};                                             // the batch is what is searched
  double shortest_seconds = 2, longest_seconds = 10, margin = 0.01;  // of each trial
  std::size_t answer_launches = 5;                                   // fresh processes, of the answer …
  double launch_seconds = 3, repeats_within = 0.01;                  // … each; within which it repeats, relative
  // Tries a point in this process, where there are no launches and no largest batch; empty: in a worker.
  std::function<Trial(const TrialPlan&, const std::function<bool()>& stop)> here = {};

  bool by_energy() const { return !metric.empty(); }
  std::optional<LatencyBound> bound() const {
    if (!max_latency) return std::nullopt;
    return LatencyBound{to_double(*max_latency), percentile.value_or(0.99)};
  }
};

Record throughput(const ThroughputPlan&);

}  // namespace strobe

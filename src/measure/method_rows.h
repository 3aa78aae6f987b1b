// SPDX-License-Identifier: Apache-2.0
// Timing one workload by many methods at once. A row is a method and what it read; the first requests of all are timed
// once, for the rows that leave the warm-up out.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>
#include <strobe/workload.h>

#include "host/salvage.h"
#include "measure/conductor.h"
#include "measure/method.h"
#include "measure/sample.h"
#include "measure/segment.h"
#include "measure/surroundings.h"
#include "workload/pin.h"

namespace strobe {

struct MethodRow {
  Method method;
  std::string name;
  std::string error = {};                    // not empty: it cannot be used, and this is why
  std::vector<double> readings = {};         // ns per request
  bool reference = false;                    // others are compared with it: it is watched as a pass of a run is
  std::optional<FullQueue> full_queue = {};  // the host filled the queue while it was read
};

// A row as a script reads it that does nothing else: from the first request of the process on, in one go.
struct Script {
  std::size_t warmup = 0;   // requests that nobody times; 0: the very first request counts
  std::size_t samples = 1;  // intervals
  std::size_t per_sample = 1;
  nanoseconds warmup_time{}, time{};  // at least as many as fit into this, by a few requests before
  std::size_t in_flight = kInFlight;  // of a full queue
};

struct MethodRows {
  std::vector<MethodRow> rows;
  std::size_t block = 1;  // requests in one block
  bool asynchronous = false;
  std::string gate_why_not, graph_why_not;  // of the eager workload's gate; of the capture
  double first_ns = 0;
  nanoseconds expected{};  // what all rounds should take
  double tick = 1;
  bool stopped = false;
  std::string failure;  // not empty: the device failed, and what there is was read before
  std::shared_ptr<Surroundings> around;

  // The first request alone is none.
  bool any_read() const {
    return std::any_of(rows.begin(), rows.end(),
                       [](const MethodRow& row) { return !row.method.once && !row.readings.empty(); });
  }
};

// `warmup` cold requests, then `requests` for every method in rounds. Methods without warm-up count the cold ones
// instead of their first requests.
struct MethodPlan {
  std::vector<MethodRow> rows;
  std::size_t warmup = 0, requests = 0;
  std::function<void(const Progress&)> progress = {};  // hears of each row of each round
  Conductor* conductor = nullptr;                      // once it stops, the end comes with what was read
  PinRule pin = {};                                    // where the thread stays once the workload is warm
  std::optional<Script> script = {};                   // of the first row, which then has no part in the rounds
};

// `remains` gives another thread what was read before a request that does not end: nothing where nothing was.
MethodRows time_by_methods(Workload&, const MethodPlan&, Remains<const MethodRows*>* remains = nullptr);

}  // namespace strobe

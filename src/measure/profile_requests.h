// SPDX-License-Identifier: Apache-2.0
// Requests under a profiler, one at a time: what the runtime says of the parts of the model and the device of its work,
// on one clock for each request. For looking inside: what a request takes comes from elsewhere.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <strobe/answers.h>
#include <strobe/workload.h>

#include "measure/conductor.h"
#include "trace/saved_trace.h"

namespace strobe {

struct ProfileLength {
  std::optional<std::size_t> requests = {};  // that count; none: as many as fit into `length`
  nanoseconds soak = 300ms, length = 1s;
};

struct ProfiledRequests {
  std::vector<trace::RequestTrace> requests;
  std::string profiler;         // whose layers they are; empty: there are none
  std::string why_no_layers;    // or where these are missing
  std::string why_no_trace;     // of an asynchronous device
  TraceQuality trace;           // likewise
  trace::SavedTrace recording;  // all of it, as it was recorded; empty where it was not traced
  std::size_t warmup = 0;       // requests before those that count
  nanoseconds warmup_time{}, first{};
  std::optional<double> threads_busy;  // on the CPU: how many of the process's threads worked at a time
  bool stopped = false;
};

ProfiledRequests profile_requests(Workload&, const ProfileLength&, Conductor&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Requests while their memory is read: the first one, those that let every input set and every arena have what it
// needs, and a stretch that should need no more. Nothing here is timed.
#pragma once

#include <cstddef>
#include <string>

#include <strobe/workload.h>

#include "measure/conductor.h"
#include "measure/memory_log.h"

namespace strobe {

struct MemoryLength {
  std::size_t requests = 50;  // in steady state
  bool graph = false;         // also capture one, after all of them
};

struct MemoryRequests {
  std::size_t warmup = 0, requests = 0;
  nanoseconds first{}, warmup_time{};
  std::string why_no_graph;
  bool stopped = false;
};

MemoryRequests watch_requests(Workload&, const MemoryLength&, MemoryLog&, Conductor&);

}  // namespace strobe

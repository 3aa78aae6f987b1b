// SPDX-License-Identifier: Apache-2.0
// The first requests: how long the very first takes, how long a typical one, and what the workload allows.
#pragma once

#include <optional>

#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"
#include "measure/conductor.h"

namespace strobe {

struct Probe {
  nanoseconds first{};                    // latency of request 0
  nanoseconds typical{};                  // median latency of the next few
  nanoseconds submit{};                   // median time to hand one over
  std::uint32_t requests_per_sample = 1;  // on an inline device: so many that a sample takes 10 µs
  std::size_t requests = 0;               // that were run
};

// At most `most` requests, at least one; no more once the conductor has stopped.
Probe probe(Workload&, std::size_t most, std::size_t& next_request, Conductor&);

// Device work, in nanoseconds, still going on after a request's end mark: work that no mark of its stream sees. Nothing
// when the conductor stopped before it was known.
inline constexpr std::size_t kEscapeRequests = 14;
std::optional<double> escaped_work(Workload&, std::size_t& next_request, Conductor&);

}  // namespace strobe

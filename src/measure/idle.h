// SPDX-License-Identifier: Apache-2.0
// Requests that begin after a pause: what a caller waits for who comes now and then. Apart from everything else that is
// measured, because a machine that slept is another one for a while. How many requests there are follows from the
// pauses before the first of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>
#include <strobe/workload.h>

#include "base/units.h"
#include "measure/conductor.h"
#include "measure/method.h"
#include "measure/sample.h"

namespace strobe {

// What a caller waits for, the host asleep before.
Pass idle_pass(const IdlePause&);

// Requests that count, in a launch whose rounds take `length`: about as long, but enough for a median and not more than
// tell a p90. `most`: asked for.
std::size_t idle_requests(const IdlePause&, nanoseconds typical, nanoseconds length, std::optional<std::size_t> most);
// What the pauses take, of requests that do not count as well.
nanoseconds idle_time(const std::vector<IdlePause>&, nanoseconds length, std::optional<std::size_t> most);

inline constexpr std::size_t kRequestsBesideIdle = 2;  // of each pause, that do not count

struct IdleSamples {
  IdlePause pause = {};
  Samples samples = {};
  PowerReading before = {}, after = {};
  std::string why_not = {};  // not empty: there is no sample, and this is why
  bool stopped = false;      // by the conductor
};

struct IdlePlan {
  IdlePause pause = {};
  std::size_t requests = 0;
  bool cold = false;                          // the cache is flushed before each pause
  nanoseconds origin{};                       // the run's beginning on the device's clock
  nanoseconds deadline = nanoseconds::max();  // on that clock: no request begins later
  std::uint64_t seed = 0;                     // of random pauses
};

// A request that does not count, since it still feels what was before; those that do; and one during which clocks and
// states are read, which would disturb the others.
IdleSamples measure_idle(Workload&, const IdlePlan&, Conductor&, std::size_t& next_request);

}  // namespace strobe

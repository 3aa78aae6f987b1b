// SPDX-License-Identifier: Apache-2.0
// What every method must read on the simulated device, in closed form: N equal kernels of length K, launch cost L, mark
// cost m on the host and g on the device, cost s of returning from a wait, copies c and o, a flush of length F, blocks
// of R requests, a queue with room for Q launches; the first kernel of a request whose input is not in the cache takes
// M longer. Derived in docs/methods.md. Not for noise, drift, escaping work or hidden synchronisation, nor for a queue
// with room for less than a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/simulated/parameters.h"
#include "measure/method.h"

namespace strobe {

// `round`: requests that a row makes in a round, which is also the length of a block.
nanoseconds closed_form(const SimParameters&, const Method&, std::int64_t round, std::size_t input_sets = 2);

// Requests that a host submits without waiting, from an empty queue on, before it first waits for room; none: never.
std::optional<std::int64_t> requests_until_full(const SimParameters&, std::size_t input_sets = 2);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// What every method must read on the simulated device, in closed form: N equal kernels of length K, launch cost L, mark
// cost m on the host and g on the device, cost s of returning from a wait, blocks of R requests; the first kernel of a
// request whose input is not in the cache takes M longer. Derived in docs/methods.md. Not for noise, drift, escaping
// work or hidden synchronisation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/simulated/parameters.h"
#include "measure/method.h"

namespace strobe {

nanoseconds closed_form(const SimParameters&, const Method&, std::int64_t block, std::size_t input_sets = 2);

}  // namespace strobe

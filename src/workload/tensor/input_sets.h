// SPDX-License-Identifier: Apache-2.0
// How many sets of inputs a model gets, which requests rotate over.
#pragma once

#include <cstddef>

#include <strobe/model.h>

#include "base/units.h"
#include "device/device.h"
#include "workload/tensor/option_names.h"

namespace strobe {

inline constexpr std::size_t kMostInputSets = 4096;

// All of them together exceed the cache by this factor where they are to exceed it: a cache that does not simply drop
// what was read longest ago keeps a part of a little more than it can hold.
inline constexpr std::uint64_t kTimesTheCache = 2;

// `one`: the bytes of one set. Throws Error (unsupported), with the numbers, where there is no way to exceed the cache.
std::size_t count_sets(const InputSets&, Bytes one, const Device&, const OptionNames&);

}  // namespace strobe

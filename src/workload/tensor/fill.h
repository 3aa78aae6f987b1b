// SPDX-License-Identifier: Apache-2.0
// Values into the memory that a model reads: from a file, or seeded random ones, on the host or on a device.
#pragma once

#include <functional>
#include <span>

#include "device/device.h"
#include "workload/tensor/input_plan.h"

namespace strobe {

// `to` may be device memory: then values are made on the device where it can do so, else on the host and copied in
// pieces, so that the host never holds the whole tensor. Returns when the memory is filled. `set` numbers the input
// set. With `repeats` above 1 the first item of so many is made, and repeated, in inputs whose first dimension counts
// items.
void fill_input(Stream&, const PlannedInput&, std::span<std::byte> to, std::uint64_t seed, std::size_t set,
                std::size_t repeats = 1);

// Device memory as the host sees it; a copy.
std::vector<std::byte> read_back(Stream&, std::span<const std::byte> from);

// The same in pieces, so that the host never holds the whole tensor.
void read_pieces(Stream&, std::span<const std::byte> from, const std::function<void(std::span<const std::byte>)>& see);

}  // namespace strobe

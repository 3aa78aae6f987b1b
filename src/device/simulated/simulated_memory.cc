// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/simulated_memory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"

namespace strobe {

void SimulatedMemory::check_room(std::uint64_t bytes) const {
  if (bytes <= driver().free.count) return;
  throw Error(ErrorCode::out_of_memory, "cannot allocate on the simulated device",
              fmt::format("{} were asked for, {} are free", format_bytes({bytes}), format_bytes(driver().free)));
}

std::uint64_t SimulatedMemory::allocate(Bytes bytes, std::string cause, std::string layer) {
  if (!counted() || bytes.count == 0) return 0;
  if (auto& same = returned_[bytes.count]; same > 0) {
    --same;
  } else {
    const std::uint64_t segment = std::max<std::uint64_t>(p_.segment.count, 1);
    const std::uint64_t reserved = (bytes.count + segment - 1) / segment * segment;
    check_room(reserved);
    state_.reserved += reserved;
  }
  live_[++blocks_] = bytes.count;
  state_.in_use += bytes.count;
  state_.peak = std::max(state_.peak, state_.in_use);
  if (recorded_)
    events_.push_back(
        {clock_.now(), blocks_, static_cast<std::int64_t>(bytes.count), std::move(cause), std::move(layer)});
  return blocks_;
}

void SimulatedMemory::give_back(std::uint64_t block) {
  const auto it = live_.find(block);
  if (it == live_.end()) return;
  state_.in_use -= it->second;
  ++returned_[it->second];
  if (recorded_) events_.push_back({clock_.now(), block, -static_cast<std::int64_t>(it->second), {}, {}});
  live_.erase(it);
}

void SimulatedMemory::take_for_driver(Bytes bytes) {
  if (!counted()) return;
  check_room(bytes.count);
  driver_ += bytes.count;
}

}  // namespace strobe

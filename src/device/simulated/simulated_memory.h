// SPDX-License-Identifier: Apache-2.0
// The memory of a simulated device, to the byte: an allocator that asks the driver for whole segments, keeps what is
// given back for blocks of the same size, and gives nothing back to the driver. The driver may take some for itself.
// Nothing here takes time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <strobe/workload.h>

#include "device/clock.h"
#include "device/device.h"
#include "device/simulated/parameters.h"

namespace strobe {

class SimulatedMemory {
 public:
  SimulatedMemory(const SimMemory& p, const Clock& clock) : p_(p), clock_(clock) {}

  bool counted() const { return p_.total.count > 0; }
  void record() { recorded_ = true; }  // events, from now on
  // The block's number; 0: of nothing, or nobody counts. Throws Error where there is no room.
  std::uint64_t allocate(Bytes, std::string cause, std::string layer = {});
  void give_back(std::uint64_t block);
  void take_for_driver(Bytes);

  DeviceMemory driver() const { return {{p_.total.count - state_.reserved - driver_}, p_.total}; }
  const AllocatorState& allocator() const { return state_; }
  const std::vector<AllocationEvent>& events() const { return events_; }

 private:
  void check_room(std::uint64_t bytes) const;

  const SimMemory& p_;
  const Clock& clock_;
  AllocatorState state_{.name = "the simulated allocator"};
  std::uint64_t driver_ = 0, blocks_ = 0;
  std::map<std::uint64_t, std::uint64_t> live_;    // bytes of each block
  std::map<std::uint64_t, std::size_t> returned_;  // how many of each size
  bool recorded_ = false;
  std::vector<AllocationEvent> events_;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Memory that can be read at any time without a tracer: of a device by its driver's free bytes, of this process and of
// its cgroup by the kernel's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device/device.h"

namespace strobe {

namespace memory_place {
inline constexpr char device[] = "device", process[] = "process", cgroup[] = "cgroup", allocations[] = "allocations";
}

class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;
  virtual std::string name() const = 0;     // one of memory_place
  virtual std::string counted() const = 0;  // by what: one phrase
  virtual double now() = 0;                 // bytes
  virtual double before() const = 0;        // when it was made
  // The most since `forget`; none: nobody keeps it, or it lies before.
  virtual std::optional<double> peak() { return std::nullopt; }
  virtual void forget() {}
};

// What is resident, whoever it belongs to.
std::unique_ptr<MemoryMeter> process_meter();
// Null: it is not visible.
std::unique_ptr<MemoryMeter> cgroup_meter();
// What the device has less than when this was made. Null: it has no memory of its own.
std::unique_ptr<MemoryMeter> device_meter(const Device&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/memory_meter.h"

#include "host/memory.h"

namespace strobe {
namespace {

double bytes_of(Bytes b) {
  return static_cast<double>(b.count);
}

class ProcessMeter final : public MemoryMeter {
 public:
  std::string name() const override { return memory_place::process; }
  std::string counted() const override {
    return forgets_ ? "resident memory of the process, its peak by the kernel"
                    : "resident memory of the process; its peak within a phase only where it is the highest so far";
  }
  double now() override { return bytes_of(resident_memory().all); }
  double before() const override { return before_; }

  // Where the kernel lets nobody forget it, an older peak hides those that are lower.
  std::optional<double> peak() override {
    const double most = bytes_of(peak_memory());
    return forgets_ || most > at_forgetting_ ? std::optional(most) : std::nullopt;
  }
  void forget() override {
    forgets_ = forget_peak_memory();
    at_forgetting_ = bytes_of(peak_memory());
  }

 private:
  double before_ = bytes_of(resident_memory().all);
  bool forgets_ = true;
  double at_forgetting_ = 0;
};

class CgroupMeter final : public MemoryMeter {
 public:
  explicit CgroupMeter(Bytes now) : before_(bytes_of(now)) {}
  std::string name() const override { return memory_place::cgroup; }
  std::string counted() const override { return "memory of the cgroup, with other processes in it and cached files"; }
  double now() override { return bytes_of(cgroup_memory().value_or(Bytes{})); }
  double before() const override { return before_; }

 private:
  double before_;
};

class DeviceMeter final : public MemoryMeter {
 public:
  DeviceMeter(const Device& device, const DeviceMemory& now) : device_(device), before_(used(now)) {}
  std::string name() const override { return memory_place::device; }
  std::string counted() const override { return "what the driver has less of free memory than before the load"; }
  double now() override { return used(device_.memory().value_or(DeviceMemory{})) - before_; }
  double before() const override { return before_; }

 private:
  static double used(const DeviceMemory& m) { return bytes_of(m.total) - bytes_of(m.free); }

  const Device& device_;
  double before_;
};

}  // namespace

std::unique_ptr<MemoryMeter> process_meter() {
  return std::make_unique<ProcessMeter>();
}

std::unique_ptr<MemoryMeter> cgroup_meter() {
  const auto now = cgroup_memory();
  return now ? std::make_unique<CgroupMeter>(*now) : nullptr;
}

std::unique_ptr<MemoryMeter> device_meter(const Device& device) {
  const auto now = device.memory();
  return now ? std::make_unique<DeviceMeter>(device, *now) : nullptr;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The CPU under the name of a GPU on this node of the machine: real, and with a queue as far as it says.
#pragma once

#include <cstdint>

#include "host/affinity.h"
#include "testing/wrapped_cpu.h"

namespace strobe::testing {

class GpuByName final : public WrappedCpu {
 public:
  Capabilities can() const override {
    const Capabilities cpu = WrappedCpu::can();
    return {.asynchronous = {}, .gate = cpu.gate, .flush = cpu.flush};
  }
  DeviceInfo info() const override {
    DeviceInfo info = WrappedCpu::info();
    info.kind = "cuda";
    if (const auto node = current_numa_node()) info.facts["numa_node"] = std::int64_t{*node};
    return info;
  }
};

}  // namespace strobe::testing

// SPDX-License-Identifier: Apache-2.0
// The CPU under the name of a GPU on this node of the machine: real, and with a queue as far as it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/device.h"
#include "device/inline_device.h"
#include "host/affinity.h"

namespace strobe::testing {

class GpuByName final : public Device {
 public:
  Clock& clock() override { return cpu_.clock(); }
  Capabilities can() const override { return {.asynchronous = {}, .gate = cpu_.can().gate, .flush = cpu_.can().flush}; }
  DeviceInfo info() const override {
    DeviceInfo info = cpu_.info();
    info.kind = "cuda";
    if (const auto node = current_numa_node()) info.facts["numa_node"] = std::int64_t{*node};
    return info;
  }
  std::unique_ptr<Stream> stream() override { return cpu_.stream(); }
  std::unique_ptr<Stream> adopt(void* native) override { return cpu_.adopt(native); }
  Gate hold(Stream& stream, const GateOptions& o) override { return cpu_.hold(stream, o); }
  void synchronize() override {}
  void flush_cache(Stream& stream) override { cpu_.flush_cache(stream); }
  Buffer buffer(std::size_t bytes, Place place) override { return cpu_.buffer(bytes, place); }
  nanoseconds tick() const override { return cpu_.tick(); }

 private:
  InlineDevice cpu_;
};

}  // namespace strobe::testing

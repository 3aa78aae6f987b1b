// SPDX-License-Identifier: Apache-2.0
// The CPU, for tests that need a device with one difference: derive from it and override that.
#pragma once

#include <cstddef>
#include <memory>

#include "device/device.h"
#include "device/inline_device.h"

namespace strobe::testing {

class WrappedCpu : public Device {
 public:
  Clock& clock() override { return cpu_.clock(); }
  Capabilities can() const override { return cpu_.can(); }
  DeviceInfo info() const override { return cpu_.info(); }
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

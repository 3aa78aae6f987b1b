// SPDX-License-Identifier: Apache-2.0
// A device without a queue: work is done when submit returns, so a mark is the host clock and waiting is free. It is
// the CPU, or one that a runtime reaches by itself and whose name alone is known here; buffers are the host's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "device/device.h"
#include "host/caches.h"

namespace strobe {

class InlineDevice final : public Device {
 public:
  InlineDevice() : InlineDevice("cpu", "cpu") {}
  InlineDevice(std::string kind, std::string name) : kind_(std::move(kind)), name_(std::move(name)) {}

  Clock& clock() override { return clock_; }
  Capabilities can() const override;
  DeviceInfo info() const override;
  std::unique_ptr<Stream> stream() override;
  std::unique_ptr<Stream> adopt(void* native) override;
  Gate hold(Stream&, const GateOptions&) override;
  void synchronize() override {}
  void flush_cache(Stream&) override;
  Buffer buffer(std::size_t bytes, Place) override;
  nanoseconds tick() const override { return 1ns; }
  std::optional<Bytes> last_level_cache() const override { return strobe::last_level_cache(); }
  EnergySource energy() override;

 private:
  std::string kind_, name_;
  SteadyClock clock_;
};

}  // namespace strobe

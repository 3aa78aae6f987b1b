// SPDX-License-Identifier: Apache-2.0
// The CPU as tests want it: a device without a queue, like InlineDevice, on a clock that only requests and readings
// move. So what is done to requests of nanoseconds, or on a coarse clock, is known to the nanosecond.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "device/device.h"
#include "device/inline_device.h"

namespace strobe {

class CountingClock final : public Clock {
 public:
  CountingClock(nanoseconds read, nanoseconds tick) : read_(read), tick_(tick) {}

  nanoseconds now() const override {
    const nanoseconds now{now_.fetch_add(read_.count()) + read_.count()};
    return now / tick_ * tick_;
  }
  void sleep(nanoseconds t) override {
    if (on_sleep) on_sleep();
    now_ += t.count();
  }

  std::function<void()> on_sleep;  // may hang

 private:
  nanoseconds read_, tick_;                  // what a reading costs, and the steps it is given in
  mutable std::atomic<std::int64_t> now_{};  // several streams have a thread each
};

class VirtualCpu final : public Device {
 public:
  explicit VirtualCpu(nanoseconds read = 0ns, nanoseconds tick = 1ns) : clock_(read, tick) {}

  CountingClock& clock() override { return clock_; }
  Capabilities can() const override {
    Capabilities can = cpu_.can();
    if (flushes) can.flush = {};
    return can;
  }
  DeviceInfo info() const override { return cpu_.info(); }
  std::unique_ptr<Stream> stream() override;
  std::unique_ptr<Stream> adopt(void*) override { return stream(); }
  Gate hold(Stream& stream, const GateOptions& options) override { return cpu_.hold(stream, options); }
  void synchronize() override {}
  void flush_cache(Stream&) override {}
  Buffer buffer(std::size_t bytes, Place place) override { return cpu_.buffer(bytes, place); }
  nanoseconds tick() const override { return 1ns; }
  std::optional<Bytes> last_level_cache() const override { return cache; }

  std::optional<Bytes> cache;
  bool flushes = false;

 private:
  CountingClock clock_;
  InlineDevice cpu_;  // what does not concern time
};

// Work is done when it is submitted, so nothing waits and every mark is the same moment: no method reads them here.
class VirtualCpuStream final : public Stream {
 public:
  explicit VirtualCpuStream(Device& device) : device_(device) {}

  Device& device() const override { return device_; }
  void reserve(std::size_t) override {}
  Mark mark() override { return {}; }
  void wait(Mark) override {}
  bool reached(Mark) override { return true; }
  void after(const Stream&, Mark) override {}
  void synchronize() override {}
  void copy(std::span<std::byte>, std::span<const std::byte>) override {}
  nanoseconds between(Mark, Mark) override { return 0ns; }
  void* native() const override { return nullptr; }

 private:
  Device& device_;
};

inline std::unique_ptr<Stream> VirtualCpu::stream() {
  return std::make_unique<VirtualCpuStream>(*this);
}

}  // namespace strobe

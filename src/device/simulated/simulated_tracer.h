// SPDX-License-Identifier: Apache-2.0
// What a simulated device did, exactly: tracing costs nothing there.
#pragma once

#include <utility>

#include "device/tracer.h"

namespace strobe {

class SimulatedTracer final : public Tracer {
 public:
  // `current`: where the device looks for its tracer.
  explicit SimulatedTracer(SimulatedTracer*& current) : current_(current) { current_ = this; }
  ~SimulatedTracer() override { current_ = nullptr; }
  SimulatedTracer(const SimulatedTracer&) = delete;
  SimulatedTracer& operator=(const SimulatedTracer&) = delete;

  DeviceTrace take() override { return std::exchange(trace_, {}); }

  void add(trace::HostCall c) { trace_.calls.push_back(c); }
  void add(trace::DeviceWork w) { trace_.work.push_back(std::move(w)); }

 private:
  SimulatedTracer*& current_;
  DeviceTrace trace_;
};

}  // namespace strobe

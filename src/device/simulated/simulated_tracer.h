// SPDX-License-Identifier: Apache-2.0
// What a simulated device did, exactly: tracing costs nothing there, and its clock is the device's.
#pragma once

#include <cstdint>
#include <string>
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

  trace::Recording take() override {
    trace::Recording all = std::exchange(recording_, {});
    all.source = "the simulated device, to the nanosecond";
    return all;
  }

  void add(trace::HostCall::Kind kind, Interval when) { add_call(kind, when); }
  // `submitted`: by a call of its own, one for each piece of work.
  void add(trace::DeviceWork::Kind kind, std::string name, Interval submitted, Interval when) {
    const std::uint64_t number = add_call(trace::HostCall::Kind::submit, submitted);
    recording_.work.push_back({.number = number, .kind = kind, .name = std::move(name), .when = when});
  }

 private:
  std::uint64_t add_call(trace::HostCall::Kind kind, Interval when) {
    recording_.calls.push_back({.number = ++last_, .kind = kind, .when = when});
    return last_;
  }

  SimulatedTracer*& current_;
  std::uint64_t last_ = 0;
  trace::Recording recording_;
};

}  // namespace strobe

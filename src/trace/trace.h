// SPDX-License-Identifier: Apache-2.0
// What was recorded of one request: calls of the host, work of the device, parts of the model. All on one clock, from
// the request's begin on. Who records (a device, a runtime's profiler) and what follows from it are elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "base/units.h"

namespace strobe::trace {

// The host in a call of the device's interface.
struct HostCall {
  enum class Kind { submit, wait } kind = Kind::submit;
  Interval when;
};

// One piece of work of the device.
struct DeviceWork {
  enum class Kind { kernel, copy } kind = Kind::kernel;
  std::string name;
  nanoseconds submitted{};   // when the host began to hand it over …
  nanoseconds queued{};      // … and had done so
  Interval when = {};        // on the device
  std::uint64_t stream = 0;  // a number for each
};

// A part of the model while the host runs it or hands it over.
struct LayerCall {
  std::string name, type;  // "conv1", "Conv"
  std::string where;       // what runs it, as the runtime calls it; empty: it does not say
  Interval when;
};

struct RequestTrace {
  nanoseconds length{};  // of the request, as its caller sees it
  std::vector<HostCall> calls = {};
  std::vector<DeviceWork> work = {};
  std::vector<LayerCall> layers = {};

  Interval window() const { return {nanoseconds{}, length}; }
};

}  // namespace strobe::trace

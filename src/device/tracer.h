// SPDX-License-Identifier: Apache-2.0
// Records what the host asks of a device and what the device does, from its making until its end. It slows what it
// watches: nothing is measured meanwhile.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace strobe {

// Times are those of the device's clock.
struct DeviceTrace {
  std::vector<trace::HostCall> calls;
  std::vector<trace::DeviceWork> work;
};

class Tracer {
 public:
  virtual ~Tracer() = default;
  virtual DeviceTrace take() = 0;  // everything since the last time; all work must be done
};

struct Tracing {
  std::unique_ptr<Tracer> tracer;
  std::string why_not;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Records what the host asks of a device and what the device does, from its making until its end. It slows what it
// watches: nothing is measured meanwhile.
#pragma once

#include <memory>
#include <string>

#include "trace/recording.h"

namespace strobe {

class Tracer {
 public:
  virtual ~Tracer() = default;
  // Everything since the last time; all work must be done. Throws Error where it cannot be used: one sentence.
  virtual trace::Recording take() = 0;
};

struct Tracing {
  std::unique_ptr<Tracer> tracer;
  std::string why_not;
  std::string held_by = {};  // another profiler, for which reason there is none
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// What a device itself counts while it works, read around a segment: its clocks. This one counts nothing.
// Energy has a counter of its own kind (device/energy.h), because reading it takes milliseconds.
#pragma once

#include <optional>

#include <strobe/workload.h>

namespace strobe {

struct Counted {
  std::optional<double> mhz = {};  // mean clock of its processors; none: it cannot tell
};

class Counters {
 public:
  virtual ~Counters() = default;
  virtual void begin(Stream&) {}
  virtual Counted end(Stream&) { return {}; }  // since then; waits for the stream
};

}  // namespace strobe

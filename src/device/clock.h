// SPDX-License-Identifier: Apache-2.0
// The time that everything is measured in. Injected, so that code that waits and times is tested without waiting: the
// simulated device brings a virtual clock.
#pragma once

#include "base/units.h"

namespace strobe {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual nanoseconds now() const = 0;  // monotonic; its zero means nothing
  virtual void sleep(nanoseconds) = 0;  // a signal may end it early
  // All of it, whatever signal comes.
  void sleep_until(nanoseconds t) {
    for (nanoseconds left = t - now(); left > 0ns; left = t - now()) sleep(left);
  }
};

// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  void sleep(nanoseconds) override;
};

}  // namespace strobe

// The time that everything is measured in. Injected, so that code that waits and times is tested without waiting: the
// simulated device brings a virtual clock.
#pragma once

#include "base/units.h"

namespace strobe {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual nanoseconds now() const = 0;  // monotonic; its zero means nothing
  virtual void sleep(nanoseconds) = 0;
};

// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
  void sleep(nanoseconds) override;
};

}  // namespace strobe

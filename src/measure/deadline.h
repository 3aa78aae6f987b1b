// SPDX-License-Identifier: Apache-2.0
// --max-time of a study that can only end between two requests: one more reason to stop, and a way to tell it from the
// others afterwards.
#pragma once

#include <functional>
#include <optional>

#include "base/units.h"
#include "device/clock.h"

namespace strobe {

class Deadline {
 public:
  // Counts from now on.
  Deadline(Clock& clock, std::optional<nanoseconds> max_time, std::function<bool()> stop)
      : clock_(clock), stop_(std::move(stop)), end_(max_time ? clock.now() + *max_time : nanoseconds::max()) {}

  bool asked() const { return stop_ && stop_(); }
  bool up() const { return end_ != nanoseconds::max() && clock_.now() >= end_; }
  bool over() const { return asked() || up(); }
  nanoseconds end() const { return end_; }

 private:
  Clock& clock_;
  std::function<bool()> stop_;
  nanoseconds end_;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// --max-time, as a run shares it out. Every time counts from the first request; without a limit everything is allowed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/units.h"
#include "measure/union_time.h"

namespace strobe {

class TimeBudget {
 public:
  // `idle`: what requests after pauses would take, which follow everything else.
  explicit TimeBudget(std::optional<nanoseconds> max_time, nanoseconds idle = 0ns) : limit_(max_time), idle_(idle) {}

  bool limited() const { return limit_.has_value(); }
  nanoseconds whole() const { return limit_.value_or(nanoseconds::max()); }
  // Of the rounds: a short turn follows them on a device with a queue.
  nanoseconds rounds(bool queue) const { return before_idle() - (limit_ && queue ? union_turn() : 0ns); }
  // Little time is shared by shorter segments: each pass needs some of its own after the warm-up.
  nanoseconds segment(nanoseconds usual, std::size_t passes) const {
    return std::min(usual, whole() / (8 * static_cast<std::int64_t>(passes)));
  }
  nanoseconds union_turn_after(nanoseconds now) const { return std::min(kUnionTurn, before_idle() - now); }
  // Requests that are not measured: not for more than a quarter of what is left.
  bool affords(std::size_t requests, nanoseconds typical, nanoseconds now) const {
    return !limit_ || static_cast<std::int64_t>(requests) * typical <= (*limit_ - now) / 4;
  }
  bool affords_one_more(nanoseconds typical, nanoseconds now) const {
    return !limit_ || now + typical <= *limit_ + *limit_ / 20;
  }

 private:
  // Pauses take time, but not most of it.
  nanoseconds before_idle() const { return limit_ ? whole() - std::min(idle_, whole() / 3) : whole(); }
  nanoseconds union_turn() const { return std::min(kUnionTurn, whole() / 8); }

  std::optional<nanoseconds> limit_;
  nanoseconds idle_;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The least that counts as warm-up. Lazy loading, compilation, autotuning and the first clock ramp end within it; what
// lasts longer a detector names.
#pragma once

#include <algorithm>

#include "measure/probe.h"
#include "measure/time_budget.h"

namespace strobe {

class SoakGoal {
 public:
  // Times count from the first request; the soak begins at `now`.
  SoakGoal(const Probe& p, nanoseconds soak, const TimeBudget& budget, nanoseconds now)
      : end_(now + std::min(soak, budget.whole() / 4)),
        latest_(budget.limited() ? budget.whole() / 2 : nanoseconds::max()),
        requests_(p.typical > kSlowToWarm ? kFewSlow : kFew) {}

  // `requests`: all that were made, also by the probe.
  bool reached(nanoseconds now, std::size_t requests) const {
    return now >= latest_ || (now >= end_ && requests >= requests_);
  }

 private:
  static constexpr std::size_t kFew = 10, kFewSlow = 3;
  static constexpr nanoseconds kSlowToWarm = 1s;

  nanoseconds end_, latest_;
  std::size_t requests_;
};

}  // namespace strobe

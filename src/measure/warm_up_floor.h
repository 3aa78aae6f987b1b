// SPDX-License-Identifier: Apache-2.0
// The least that counts as warm-up. Lazy loading, compilation, autotuning and the first clock ramp end within it; what
// comes later MSER must find.
#pragma once

#include "measure/probe.h"
#include "measure/sample.h"
#include "measure/time_budget.h"

namespace strobe {

inline constexpr nanoseconds kFloorTime = 500ms;

class WarmUpFloor {
 public:
  WarmUpFloor(const Probe&, const TimeBudget&);

  bool reached(nanoseconds now, std::size_t requests) const {
    return now >= latest_ || (now >= time_ && requests >= requests_);
  }
  // Where it ends in the samples of the pass that began. The probe's requests count: any request warms.
  nanoseconds end(const Samples&) const;

 private:
  nanoseconds time_, latest_;  // half of a limited time at most
  std::size_t requests_, probed_;
};

}  // namespace strobe

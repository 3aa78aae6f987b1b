// SPDX-License-Identifier: Apache-2.0
// One timed request (or block of requests), as it was taken. Every sample is kept from request 0; what is used of it is
// decided afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace strobe {

enum class SampleState : std::uint8_t {
  kept,
  settling,  // the first part of a segment: the pass before it still shows
  voided,    // the gate's watchdog had to open
};

struct Sample {
  nanoseconds begin{}, submitted{}, done{};  // host clock, since the run began
  nanoseconds device{};                      // between the two marks, where the method has marks
  std::uint32_t round = 0;
  std::uint32_t requests = 1;  // in this sample; more than one below 10 µs a request
  SampleState state = SampleState::kept;
};
static_assert(sizeof(Sample) <= 48);

using Samples = std::vector<Sample>;

inline std::size_t kept_after(const Samples& samples, nanoseconds cut) {
  return static_cast<std::size_t>(std::count_if(
      samples.begin(), samples.end(), [&](const Sample& s) { return s.state == SampleState::kept && s.begin >= cut; }));
}

}  // namespace strobe

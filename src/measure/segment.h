// SPDX-License-Identifier: Apache-2.0
// One segment: a stretch of one pass within one round. The loops that hold the clock are in segment.cc, each short
// enough to read in one look; whatever stands in them is inside the number.
#pragma once

#include <cstddef>
#include <functional>

#include <strobe/workload.h>

#include "device/device.h"
#include "measure/conductor.h"
#include "measure/end_marks.h"
#include "measure/method.h"
#include "measure/sample.h"

namespace strobe {

inline constexpr std::size_t kInFlight = 4;

struct SegmentPlan {
  std::uint32_t round = 0;
  nanoseconds origin{};                       // the run's beginning on the device's clock
  nanoseconds settle{};                       // samples that begin before this has passed are settling …
  std::size_t settle_requests = 1;            // … and at least so many
  nanoseconds length{};                       // of the whole segment, …
  std::size_t least = 10;                     // … with at least so many kept samples …
  std::size_t most = SIZE_MAX;                // … and at most so many
  nanoseconds deadline = nanoseconds::max();  // on the device's clock: no further sample …
  bool needs_one = false;                     // … once there is a kept one; any that begins later is kept
  std::uint32_t requests_per_sample = 1;
  std::size_t in_flight = kInFlight;  // of a full queue
  nanoseconds patience = 500ms;       // of a closed gate's watchdog
  bool ahead = true;                  // one that is not held goes ahead of each gated request, unless they are long
  nanoseconds typical{};              // of one sample, rather too short than too long: how much room to reserve
  std::uint64_t seed = 0;             // of random pauses
  const std::function<void()>* after_each = nullptr;  // called outside every interval; for slow requests only
};

struct SegmentResult {
  std::size_t kept = 0;
  FullWindow full = {};  // of a full queue
  bool stopped = false;  // by the conductor
  bool gate_tripped = false;
};

// Appends to `samples`. `next_request` counts on, so that input sets rotate over segments.
SegmentResult run_segment(Workload&, const Pass&, const SegmentPlan&, Conductor&, std::size_t& next_request,
                          Samples& samples);

}  // namespace strobe

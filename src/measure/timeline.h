// SPDX-License-Identifier: Apache-2.0
// Host and device on one time line (docs/design.md, section 3). Marks have no absolute time, so a few are taken on a
// drained stream between two readings of the host's clock; every other mark is placed between two such anchors. How
// far a placed mark may be off is known, and goes with it.
#pragma once

#include <optional>
#include <string>

#include <strobe/workload.h>

#include "device/clock.h"

namespace strobe {

inline constexpr std::size_t kAnchorTries = 20;
inline constexpr nanoseconds kAnchorReach = 1s;     // no mark further than this from its anchor: clocks drift apart
inline constexpr double kTimelineTolerance = 0.02;  // of the latency: what the uncertainty may be at most

// A moment that is known on both clocks.
struct Anchor {
  Mark mark;
  nanoseconds host{};         // the middle of the two readings around it
  nanoseconds uncertainty{};  // half of their distance
};

// The tightest of kAnchorTries; the stream must be drained. Takes that many marks of the stream's ring.
Anchor take_anchor(Stream&, Clock&);

// From marks to host time, between two anchors.
class ClockMap {
 public:
  ClockMap(Stream&, const Anchor& before, const Anchor& after);

  nanoseconds host_time(Mark) const;
  nanoseconds uncertainty() const { return uncertainty_; }
  bool within_reach() const { return within_reach_; }

 private:
  Stream* stream_;
  Anchor before_;
  double scale_ = 1;  // of the device's nanoseconds
  nanoseconds uncertainty_;
  bool within_reach_;
};

// Empty: marks between such anchors may be shown beside host times of something that takes `latency_ns`.
std::string timeline_refusal(bool within_reach, nanoseconds uncertainty, double latency_ns);

}  // namespace strobe

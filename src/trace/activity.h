// SPDX-License-Identifier: Apache-2.0
// What a trace of one request says about host and device as a whole: how long the device works, why it idles, and what
// the two do at the same time. Whole nanoseconds; each group of parts adds up to the request.
#pragma once

#include <cstddef>
#include <vector>

#include "trace/trace.h"

namespace strobe::trace {

struct Activity {
  nanoseconds window{};

  // The device works, or idles for one of three reasons: busy + starved + drained + pipeline = window.
  nanoseconds busy{};      // some kernel or copy runs
  nanoseconds starved{};   // nothing is queued, and the host is not waiting: it prepares or hands over
  nanoseconds drained{};   // nothing is queued, because the host waits for what there was
  nanoseconds pipeline{};  // something is queued: the device's own pauses

  // Of the host, when it is not waiting, and the device: both + host_only + device_only + neither = window.
  nanoseconds both{}, host_only{}, device_only{}, neither{};

  nanoseconds kernel_busy{}, copy_busy{}, copies_beside_kernels{};
  nanoseconds work{};  // the lengths of all kernels and copies
  std::size_t kernels = 0, copies = 0;
  std::size_t calls = 0;  // of the host that handed work over: one for all of a graph

  // 1: one piece of work at a time.
  double concurrency() const { return busy > nanoseconds{} ? to_double(work) / to_double(busy) : 0; }
};

Activity activity_of(const RequestTrace&);

// The stretches in which the device idles, each for one of the three reasons, in the order of time.
enum class IdleReason { starved, drained, pipeline };
struct Idle {
  IdleReason reason;
  Interval when;

  bool operator==(const Idle&) const = default;
};
std::vector<Idle> idle_of(const RequestTrace&);

}  // namespace strobe::trace

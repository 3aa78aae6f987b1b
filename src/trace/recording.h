// SPDX-License-Identifier: Apache-2.0
// What a tracer wrote down, decoded, and nothing more: calls of the host and work of the device, joined by nothing but
// their numbers, in no order, on the tracer's own clock. `join` makes of it what the rest of this folder works with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "base/units.h"
#include "trace/trace.h"

namespace strobe::trace {

struct RecordedCall {
  std::uint64_t number = 0;  // of the call; work that it handed over has the same
  std::uint64_t thread = 0;
  HostCall::Kind kind = HostCall::Kind::submit;
  std::string name = {};
  Interval when = {};
};

struct RecordedWork {
  std::uint64_t number = 0;
  std::uint64_t stream = 0;
  DeviceWork::Kind kind = DeviceWork::Kind::kernel;
  std::string name = {};
  std::uint64_t bytes = 0;  // of copies
  Interval when = {};       // a begin or an end of 0: the tracer lost it
};

// The host's clock before and after the tracer's was read.
struct ClockReading {
  nanoseconds before{}, tracer{}, after{};
};

struct Recording {
  std::string source;               // who wrote it down, on what
  std::uint64_t dropped = 0;        // records that the tracer had no room for
  std::vector<ClockReading> clock;  // at the begin and at the end; none: the clocks are the same
  std::vector<RecordedCall> calls;
  std::vector<RecordedWork> work;
};

struct Joined {
  std::vector<HostCall> calls;   // in the order of time
  std::vector<DeviceWork> work;  // likewise
  std::size_t untimed = 0;       // pieces of work without a begin or an end: left out
  std::size_t without_call = 0;  // nobody knows who handed them over: left out
  std::size_t early = 0;         // begin before their call does, which no device can …
  nanoseconds earliest{};        // … by this much at most
};

// Of what takes the clocks apart: half of the wider bracket, and half of what their difference changed by meanwhile.
// Both run at the same rate (the kernel slews them together), so any change was a step, nobody knows when.
nanoseconds clock_error(const Recording&);

// On the host's clock. Where several calls have one number, one within the other, the outermost is the call.
Joined join(const Recording&);

// Work that was handed over within a window belongs to it: requests do not overlap. Times are from its begin on.
std::vector<RequestTrace> place(const Joined&, std::span<const Interval> windows);

// How many requests do other work than most, each stream in its order.
struct KernelLists {
  std::size_t differing = 0;
  std::string first_difference = {};  // one phrase; empty: there is none
};
KernelLists compare_kernel_lists(const std::vector<RequestTrace>&);

}  // namespace strobe::trace

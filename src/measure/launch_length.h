// SPDX-License-Identifier: Apache-2.0
// What --effort means to a run: how many launches, and how long each of them soaks and measures. The lengths are fixed
// before the first request: nothing that is measured decides when to stop.
#pragma once

#include <cstddef>

#include <strobe/measure.h>

#include "base/units.h"

namespace strobe {

struct LaunchLength {
  std::size_t launches;
  nanoseconds soak;      // under load, after the probe: samples of it do not count
  nanoseconds length;    // of what counts, all passes together
  double margin;         // a figure repeats when half its interval is at most this, relative
  nanoseconds whole;     // of all launches with their loads, where the user sets no limit
  nanoseconds idle{};    // after the rounds, for requests after pauses, where these take no time
  nanoseconds energy{};  // and then for windows of energy
};

// By effort, with what the user said.
LaunchLength launch_length(const Options&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// What a pipeline would take if a stage were faster: its schedule, replayed. The host hands stages over one after the
// other, streams work in order, a stage on a stream ends when its work is done and all of it was handed over. Kernels
// inside a stage are not followed, so a replay is believed only where it reproduces what was measured.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"

namespace strobe {

struct ScheduledStage {
  bool host = false;
  std::size_t lane = 0;
  nanoseconds submit{};  // of the host: the whole work of a stage on the host
  nanoseconds work{};    // of the device
  std::vector<std::size_t> after = {};
  bool awaited = false;
};

struct ScheduleCosts {
  nanoseconds mark{};  // of the host, for recording a mark
  nanoseconds wait{};  // for returning from a wait
};

// Until the host has waited for everything.
nanoseconds replay(std::span<const ScheduledStage>, const ScheduleCosts&);

// What the whole gains, relative, when stage `i` takes a tenth less on host and device.
double gain_of_tenth(std::vector<ScheduledStage>, std::size_t i, const ScheduleCosts&);

}  // namespace strobe

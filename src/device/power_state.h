// SPDX-License-Identifier: Apache-2.0
// How awake a device is at this moment, as far as it tells without being given work.
#pragma once

#include <optional>

namespace strobe {

struct PowerState {
  std::optional<double> mhz = {};  // clock of its processors
  std::optional<int> level = {};   // performance state: 0 is the highest
};

}  // namespace strobe

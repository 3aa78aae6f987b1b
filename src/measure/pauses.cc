// SPDX-License-Identifier: Apache-2.0
#include "measure/pauses.h"

#include <cmath>

namespace strobe {

nanoseconds Pauses::next() {
  if (!pause_.random) return pause_.length;
  return to_nanoseconds(-std::log(1 - random_.uniform()) * to_double(pause_.length));
}

bool sleep_for(Clock& clock, nanoseconds length, Conductor& conductor) {
  constexpr nanoseconds kHearsStop = 100ms;
  const nanoseconds begin = clock.now();
  const std::int64_t parts = (length + kHearsStop - 1ns) / kHearsStop;
  for (std::int64_t i = 1; i <= parts; ++i) {
    if (conductor.stopped()) return false;
    clock.sleep_until(begin + (i < parts ? i * kHearsStop : length));
  }
  return true;
}

}  // namespace strobe

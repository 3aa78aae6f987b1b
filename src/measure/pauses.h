// SPDX-License-Identifier: Apache-2.0
// Pauses between requests: how long each is, and sleeping through it. Nobody spins, so that host and device can go to
// sleep.
#pragma once

#include <cstdint>

#include <strobe/measure.h>

#include "base/random.h"
#include "base/units.h"
#include "device/clock.h"
#include "measure/conductor.h"

namespace strobe {

// One after the other; random ones are the same for the same seed.
class Pauses {
 public:
  Pauses(const IdlePause& pause, std::uint64_t seed) : pause_(pause), random_(seed) {}
  nanoseconds next();

 private:
  IdlePause pause_;
  Random random_;
};

// False: it was to stop, which is heard within a tenth of a second. The conductor is asked as often for the same
// length.
bool sleep_for(Clock&, nanoseconds length, Conductor&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "device/clock.h"

#include <ctime>

namespace strobe {

// Not std::this_thread::sleep_for, which goes back to sleep after a signal: Ctrl-C should be heard.
void SteadyClock::sleep(nanoseconds t) {
  const timespec wait{t.count() / 1'000'000'000, t.count() % 1'000'000'000};
  ::nanosleep(&wait, nullptr);
}

}  // namespace strobe

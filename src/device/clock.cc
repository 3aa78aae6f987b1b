#include "device/clock.h"

#include <thread>

namespace strobe {

void SteadyClock::sleep(nanoseconds t) { std::this_thread::sleep_for(t); }

}  // namespace strobe

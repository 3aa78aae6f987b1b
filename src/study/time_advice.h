// SPDX-License-Identifier: Apache-2.0
// What to advise where --max-time was too short for any result.
#pragma once

#include <string>

#include "base/units.h"

namespace strobe {

// "Give it at least 5 s.": a round number, half as much again as is expected to be needed, or more. Better too much
// than a second disappointment.
std::string give_at_least(nanoseconds needed);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The resolution of the clock a series was taken with, guessed from the values alone, for series of unknown origin. The
// greatest common divisor of the values as decimal numbers; where fewer than a tenth of the values are distinct, at
// least the median gap between neighbouring ones (a tick of 31.25 ns written in whole nanoseconds has no common
// divisor).
#pragma once

#include <span>

namespace strobe::stats {

// In the unit of the values; 0: cannot be told. At least three distinct values are needed: a constant series has no
// tick.
double guess_tick(std::span<const double> sorted);

}  // namespace strobe::stats

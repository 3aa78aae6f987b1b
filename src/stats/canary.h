// SPDX-License-Identifier: Apache-2.0
// A fixed piece of work, timed once per round, tells how quiet the host is: on a shared machine its time followed the
// disturbance of the model (rank correlation 0.78) where the steal counter missed it. The host is noisy when the median
// exceeds the best of the same run by over 3 %.
#pragma once

#include <span>

namespace strobe::stats {

inline constexpr double kNoisyHost = 0.03;

// Median over the smallest, less 1; 0 without times.
double canary_excess(std::span<const double> times);

}  // namespace strobe::stats

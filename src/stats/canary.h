// A fixed piece of work, timed once per round, tells how quiet the host is: on a shared machine its time followed the
// disturbance of the model (rank correlation 0.78) where the steal counter missed it. Noisy when its median exceeds the
// best value known for this machine by over 3 %.
#pragma once

#include <span>

namespace strobe::stats {

struct CanaryReading {
  double excess = 0;  // median over the best known value, less 1
  bool noisy = false;
};

inline constexpr double kNoisyHost = 0.03;

// `best_known`: of this machine, in the unit of `times`; not positive: unknown, and the smallest of `times` stands in.
CanaryReading read_canary(std::span<const double> times, double best_known);

}  // namespace strobe::stats

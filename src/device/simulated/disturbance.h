// SPDX-License-Identifier: Apache-2.0
// How the simulated machine's speed varies from request to request: warm-up, noise, outliers, bursts, modes, drift,
// steps, throttling; and what a launch and a load draw once. One factor for host and device, one more for the device
// alone. The numbers depend on the seed, the launch and the load, so that a study over launches comes out the same
// again.
#pragma once

#include "base/random.h"
#include "device/simulated/parameters.h"

namespace strobe {

class Disturbance {
 public:
  explicit Disturbance(const SimParameters&);

  struct Factors {
    double host = 1, device = 1;
  };
  // Of the next request, which begins at `now` since the device was made.
  Factors next(nanoseconds now);

 private:
  // A two-state Markov chain: `share` of the requests are inside, in stretches of mean length `dwell`.
  bool in_state(bool& state, double share, double dwell);

  SimParameters p_;
  Random random_;
  double lasting_;  // of this launch and this load
  std::uint64_t request_ = 0;
  double noise_ = 0;
  bool burst_ = false, mode_ = false;
};

// Exact when nothing disturbs: a factor of 1 leaves the nanoseconds alone.
inline nanoseconds scale(nanoseconds t, double factor) {
  return factor == 1 ? t : to_nanoseconds(to_double(t) * factor);
}

}  // namespace strobe

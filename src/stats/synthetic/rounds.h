// SPDX-License-Identifier: Apache-2.0
// Simulated rounds of two systems that take turns: one noise in time, of which A and B see alternate stretches, as on a
// machine that disturbs both. What the rules of comparison.h are proved on, by the tests and by `strobe selftest`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/synthetic/processes.h"

namespace strobe::stats {

struct SyntheticRounds {
  Process noise = kAr80;
  double change = 0;         // B takes this much longer: 0.01 is 1 %
  double drift = 0;          // of the machine, over all rounds
  std::size_t rounds = 32;   // even: AB, BA or BA, AB, at random
  std::size_t samples = 31;  // kept of a turn; the first max(2, 10 %) of it are dropped
  double placement = 0;      // spread of what a load adds to a system: where its memory lies, say
  std::size_t loads = 1;     // times both are loaded anew, evenly over the rounds
};

// ln(median of B / median of A) of each round.
std::vector<double> simulate_rounds(const SyntheticRounds&, std::uint64_t seed);

}  // namespace strobe::stats

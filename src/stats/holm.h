// SPDX-License-Identifier: Apache-2.0
// Several tests at once: which hypotheses may be rejected so that any wrong rejection at all has probability `alpha` at
// most. Holm's order: as safe as dividing alpha by the number of tests, and never weaker.
#pragma once

#include <span>
#include <vector>

namespace strobe::stats {

// The smallest p against alpha / m, the next against alpha / (m - 1), and so on, until one is not rare enough.
std::vector<bool> holm(std::span<const double> p, double alpha);

}  // namespace strobe::stats

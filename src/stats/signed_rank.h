// SPDX-License-Identifier: Apache-2.0
// The typical difference between paired observations, and its interval: Hodges and Lehmann's estimate (the median of
// all pairwise means) with ranks from Wilcoxon's signed-rank distribution, exact below 20 differences. Needs
// differences that are symmetric around their centre, which medians of a round are. Zero differences stay in: dropping
// them narrows the interval.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace strobe::stats {

// The K(K+1)/2 means of two differences, each with itself included; ascending. Above 2,000 differences neighbours are
// averaged first, so that memory stays within 16 MB.
std::vector<double> walsh_averages(std::span<const double> differences);

// Largest c such that the signed-rank statistic of `count` differences is <= c with probability at most
// `tail_probability`; -1 when not even 0 is that rare.
std::ptrdiff_t signed_rank_critical(std::size_t count, double tail_probability);

// How many of the sorted values do not lie on the side of 0 where most lie: what speaks against a difference. A 0 lies
// on neither side.
std::size_t against_difference(std::span<const double> sorted);

// Of no difference, two-sided. The interval at 1 - p is the widest that excludes 0, so a test by this and one by the
// interval agree. 1 without differences.
double signed_rank_p(std::span<const double> differences);

// Both sides unset when there are too few differences for this confidence (under 6 at 95 %, under 8 at 99 %).
Estimate hodges_lehmann(std::span<const double> differences, Confidence c = {});

}  // namespace strobe::stats

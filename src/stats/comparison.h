// SPDX-License-Identifier: Apache-2.0
// Is B faster than A? Answers from log ratios of pairs of launches (both at hand, side by side in fresh processes), of
// neighbouring turns within one process (ABBA rounds), or from one figure a launch (stored records). The word is never
// "equal": either the ratio is known to lie within the margin, or it is known to differ, or it cannot be told, and then
// how much more it would take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace strobe::stats {

enum class Outcome { faster, slower, equivalent, cannot_tell };

struct ComparisonRule {
  double margin = 0.01;           // equivalent: the 95 % interval lies within this of 1
  Confidence different = {0.99};  // faster or slower: this interval excludes 1
};

struct RatioComparison {
  Estimate ratio = {.value = 1};           // b / a, with its 95 % interval
  Outcome outcome = Outcome::cannot_tell;  // for times: below 1 is faster
  double p = 1;                            // of no difference, two-sided: for Holm's order
  std::size_t pairs = 0;                   // of launches; rounds; launches of the side that has fewer
  std::optional<std::uint64_t> needs =
      std::nullopt;  // cannot tell: pairs that would resolve it, roughly; none above 100,000
  std::optional<double> detectable =
      std::nullopt;  // of pairs: a difference that as many of this scatter find in 80 of 100 cases, relative
};

// Two levels, of which a launch takes one, need that many to show up among the pairs.
inline constexpr std::size_t kFewestPairs = 8;

// y_k = ln(b / a) of pair k, a fresh launch of each side: Student's t on their mean. What is not a number is left out.
// Below 6 pairs there is no interval, below kFewestPairs no outcome.
RatioComparison compare_pairs(std::span<const double> log_ratios, const ComparisonRule& rule = {});

// Several at once, as compare_family.
std::vector<RatioComparison> compare_pair_family(std::span<const std::vector<double>> log_ratios,
                                                 const ComparisonRule& rule = {});

// y_k = ln(b / a) of round k: Hodges-Lehmann with signed ranks; where the differences are far from symmetric, the
// median with the sign test's interval. What is not a number is left out. Below 6 rounds there is no interval, below 8
// neither "faster" nor "slower".
RatioComparison compare_rounds(std::span<const double> log_ratios, const ComparisonRule& rule = {});

// Fewest rounds after which each of so many comparisons can come out as faster or slower: 8 for one.
std::size_t fewest_rounds(std::size_t comparisons, const ComparisonRule& rule = {});

// One figure a launch, above 0 (others are left out): Welch's t on logarithms. With a single launch on a side there is
// no interval and never "equivalent"; a difference up to 2 % cannot be told, one above it is named, although it speaks
// of these launches only.
RatioComparison compare_launches(std::span<const double> a, std::span<const double> b, const ComparisonRule& rule = {});

// Several at once: Holm. Takes back "faster" and "slower" that the family as a whole does not support (their outcome
// becomes cannot_tell), and widens the intervals to 1 - 0.05 / m.
std::vector<RatioComparison> compare_family(std::span<const std::vector<double>> log_ratios,
                                            const ComparisonRule& rule = {});

}  // namespace strobe::stats

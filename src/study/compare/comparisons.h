// SPDX-License-Identifier: Apache-2.0
// Comparisons as the record has them, from what the statistics say, in the words of their metric.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <strobe/record.h>

#include "stats/comparison.h"

namespace strobe {

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison&);

// A percentile of two sides, as `metric` has it for each; nothing where one of them cannot give it. The ends of the
// ratio are those at which both sides err at once: at least 95 % where the sides' errors are independent, as those of
// different requests are, and about 99 % where both are as uncertain.
std::optional<Comparison> compare_percentile(const Case& a, const Case& b, const std::string& metric, double percentile,
                                             double margin, std::size_t pairs);

}  // namespace strobe

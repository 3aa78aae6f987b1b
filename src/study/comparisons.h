// Comparisons as the record has them, from what the statistics say: also the words, and that a higher rate is faster.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

#include "stats/comparison.h"

namespace strobe {

bool is_rate(std::string_view metric);  // more is better

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison&);

}  // namespace strobe

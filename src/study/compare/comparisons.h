// SPDX-License-Identifier: Apache-2.0
// Comparisons as the record has them, from what the statistics say, in the words of their metric.
#pragma once

#include <string>

#include <strobe/record.h>

#include "stats/comparison.h"

namespace strobe {

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// A series over time with fewer buckets: no more than a picture has columns, or a table rows.
#pragma once

#include <span>
#include <vector>

#include <strobe/record.h>

namespace strobe::page {

// Neighbours together: the smallest low, the largest high, the middle of their medians weighted by samples.
std::vector<CurveBucket> merged(const std::vector<CurveBucket>&, std::size_t most);

// Passes take turns, so a metric has gaps in time. A line across one would tell what nobody saw.
std::vector<std::span<const CurveBucket>> stretches(std::span<const CurveBucket>);

// Bins together, so that at most `most` remain.
Histogram merged(const Histogram&, std::size_t most);

}  // namespace strobe::page

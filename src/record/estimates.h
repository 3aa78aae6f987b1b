// SPDX-License-Identifier: Apache-2.0
// Estimates for records: an interval that a sample cannot bound says so.
#pragma once

#include <optional>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

inline constexpr std::string_view kTooFewRequests = "too few independent requests to bound it";

// `why_unbounded`: what is said where a side is missing.
inline Estimate make_estimate(double value, std::optional<double> low, std::optional<double> high,
                              std::string_view why_unbounded) {
  const bool bounded = low && high;
  return {value, low, high, bounded, bounded ? "" : std::string(why_unbounded)};
}

}  // namespace strobe

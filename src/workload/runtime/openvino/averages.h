// SPDX-License-Identifier: Apache-2.0
// From averages over all requests so far to the average of the later ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace strobe::openvino {

// Averages after the first `skipped` and after all `requests`: of those between. What rounding makes negative is 0.
inline std::chrono::nanoseconds average_between(std::chrono::microseconds first, std::size_t skipped,
                                                std::chrono::microseconds all, std::size_t requests) {
  const auto n = static_cast<std::int64_t>(requests), k = static_cast<std::int64_t>(skipped);
  if (n <= k) return all;
  return std::max(std::chrono::nanoseconds(n * all - k * first) / (n - k), std::chrono::nanoseconds{});
}

}  // namespace strobe::openvino

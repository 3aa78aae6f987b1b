// SPDX-License-Identifier: Apache-2.0
// In which order passes take their turns. Over the rows of one square each pass stands in each place equally often, and
// follows each other pass equally often (a Latin square after Williams): what a pass leaves behind is nobody's alone.
#pragma once

#include <cstddef>
#include <vector>

namespace strobe {

// Row `row` for `n` passes; rows repeat after n, for an odd n after 2 n.
inline std::vector<std::size_t> turn_order(std::size_t n, std::size_t row) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t step = i % 2 == 0 ? n - i / 2 : (i + 1) / 2;  // 0, 1, n - 1, 2, n - 2 …
    order[i] = (step + row) % n;
  }
  if (n % 2 == 1 && row / n % 2 == 1) return {order.rbegin(), order.rend()};
  return order;
}

}  // namespace strobe

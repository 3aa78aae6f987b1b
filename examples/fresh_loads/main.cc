// SPDX-License-Identifier: Apache-2.0
// Measures a walk through a table in random order, with a fresh table each time: where its memory comes to lie decides
// which parts of it share a place in the caches, and stays the same as long as the table lives.
//
//     fresh_loads [SECONDS]     measure for at most this long; default 10
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <strobe/strobe.h>

// Each entry names the next one.
class Walk {
 public:
  Walk() : next_(kEntries) {
    std::vector<std::uint32_t> order(kEntries);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
    for (std::size_t i = 0; i < kEntries; ++i) next_[order[i]] = order[(i + 1) % kEntries];
  }

  std::uint32_t run() const {
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < kEntries; ++i) at = next_[at];
    return at;
  }

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 16;
  std::vector<std::uint32_t> next_;
};

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  const strobe::Record r = strobe::measure_fresh([] { return [walk = Walk()] { return walk.run(); }; },
                                                 {.name = "walk", .effort = strobe::quick, .max_time = at_most});
  std::cout << strobe::text(r);
}

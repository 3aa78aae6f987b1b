// SPDX-License-Identifier: Apache-2.0
// Compares two ways to count the bits of numbers: in turns, so that what disturbs the machine disturbs both.
//
//     compare_callables [SECONDS]     compare for at most this long; default 10
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include <strobe/strobe.h>

int count_by_shifting(const std::vector<std::uint32_t>& numbers) {
  int bits = 0;
  for (std::uint32_t n : numbers)
    for (; n != 0; n >>= 1) bits += static_cast<int>(n & 1);
  return bits;
}

int count_by_instruction(const std::vector<std::uint32_t>& numbers) {
  int bits = 0;
  for (const std::uint32_t n : numbers) bits += std::popcount(n);
  return bits;
}

int main(int argc, char** argv) {
  const std::chrono::milliseconds at_most(argc > 1 ? static_cast<int>(1000 * std::atof(argv[1])) : 10'000);
  std::vector<std::uint32_t> numbers(10'000);
  std::iota(numbers.begin(), numbers.end(), 0x1234'5678u);

  // keep: without it the compiler may drop a sum that nobody reads.
  const strobe::Record r = strobe::compare({{"shifting", [&] { strobe::keep(count_by_shifting(numbers)); }},
                                            {"instruction", [&] { strobe::keep(count_by_instruction(numbers)); }}},
                                           {.effort = strobe::quick, .max_time = at_most});
  std::cout << strobe::text(r);
  for (const strobe::Comparison& c : r.comparisons) std::cout << c.metric << ": " << c.b << " is " << c.outcome << '\n';
}

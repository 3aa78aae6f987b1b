// SPDX-License-Identifier: Apache-2.0
// numpy.random.randn: the same values from the same seed, by the same steps, and so in the same time. Those steps are
// Matsumoto and Nishimura's Mersenne twister (1998), two of its words for a number in [0, 1), and Marsaglia's polar
// method, in doubles. For work that stands for a script's; every other random number is base/random.h's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace strobe {

// Not std::mt19937, whose words are the same: g++ 12 compiles its twist to a branch on a random bit from -O2 on, and
// randn takes 1.7 times as long.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);
  std::uint32_t word();

 private:
  static constexpr std::size_t kWords = 624;
  void twist();

  std::array<std::uint32_t, kWords> state_{};
  std::size_t next_ = kWords;
};

class NumpyRandn {
 public:
  explicit NumpyRandn(std::uint32_t seed) : words_(seed) {}

  // numpy calls these two through pointers, for each number. Inlined, they would take a sixth less than there (g++
  // -O3).
  [[gnu::noinline]] double number();
  void fill(std::span<float>);

 private:
  [[gnu::noinline]] double uniform();

  MersenneTwister words_;
  double second_ = 0;  // numbers come in pairs
  bool has_second_ = false;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/numpy_randn.h"

#include <cmath>

namespace strobe {

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < kWords; ++i) state_[i] = 1812433253u * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
}

void MersenneTwister::twist() {
  constexpr std::size_t kAhead = 397;
  constexpr std::uint32_t kMatrix = 0x9908b0df, kUpper = 0x80000000;
  const auto twisted = [&](std::size_t i, std::size_t after, std::size_t ahead) {
    const std::uint32_t y = (state_[i] & kUpper) | (state_[after] & ~kUpper);
    state_[i] = state_[ahead] ^ y >> 1 ^ (-(y & 1) & kMatrix);
  };
  for (std::size_t i = 0; i < kWords - kAhead; ++i) twisted(i, i + 1, i + kAhead);
  for (std::size_t i = kWords - kAhead; i < kWords - 1; ++i) twisted(i, i + 1, i + kAhead - kWords);
  twisted(kWords - 1, 0, kAhead - 1);
  next_ = 0;
}

std::uint32_t MersenneTwister::word() {
  if (next_ == kWords) twist();
  std::uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680;
  y ^= y << 15 & 0xefc60000;
  return y ^ y >> 18;
}

// 27 bits of one word and 26 of the next.
double NumpyRandn::uniform() {
  const std::uint32_t high = words_.word() >> 5, low = words_.word() >> 6;
  return (high * 0x1p26 + low) * 0x1p-53;
}

// A point in the unit circle, which 79 of 100 in its square are, gives two normal numbers. The second comes first.
double NumpyRandn::number() {
  if (has_second_) {
    has_second_ = false;
    return second_;
  }
  double x = 0, y = 0, square = 0;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  second_ = factor * x;
  has_second_ = true;
  return factor * y;
}

void NumpyRandn::fill(std::span<float> to) {
  for (float& x : to) x = static_cast<float>(number());
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers that are the same on every machine: the standard engines are specified bit by bit, the standard
// distributions are not, so the few transforms needed are here.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace strobe {

// The seed of one stream of numbers among many: neighbouring `which` give unrelated ones (SplitMix64).
constexpr std::uint64_t seed_of(std::uint64_t seed, std::uint64_t which) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15 * (which + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }  // [0, 1)
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }                 // bias below 2^-32 for n < 2^32

  // Box-Muller, one of the pair; speed does not matter where this is used.
  double normal() {
    constexpr double kTwoPi = 6.283185307179586;
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(kTwoPi * uniform());
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Simulated pairs of launches of two systems: each launch draws its own speed. What compare_pairs is proved on, by the
// tests and by `strobe selftest`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace strobe::stats {

// How launches of one system differ.
struct LaunchEffect {
  std::string_view name;
  double scatter = 0;                        // of the log of a launch's speed
  double level_factor = 1, level_share = 0;  // this share of the launches is on another level
  bool heavy_tail = false;                   // Student's t with 2 degrees of freedom instead of a normal scatter
};

inline constexpr LaunchEffect kLaunchEffects[] = {
    {.name = "none", .scatter = 0},
    {.name = "normal 0.3 %", .scatter = 0.003},
    {.name = "normal 0.9 %", .scatter = 0.009},
    {.name = "two levels 3.6 % apart, 1 in 3", .level_factor = 1.036, .level_share = 1.0 / 3},
    {.name = "two levels 3.6 % apart, 1 in 8", .level_factor = 1.036, .level_share = 1.0 / 8},
    {.name = "heavy tail, 0.4 %", .scatter = 0.004, .heavy_tail = true},
};

struct SyntheticPairs {
  LaunchEffect effect = {};
  double within = 0.0005;  // what a launch's own figure is uncertain by
  double change = 0;       // B takes this much longer
  std::size_t pairs = 8;
};

// ln(B / A) of each pair.
std::vector<double> simulate_pairs(const SyntheticPairs&, std::uint64_t seed);

}  // namespace strobe::stats

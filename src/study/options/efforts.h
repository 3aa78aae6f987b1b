// SPDX-License-Identifier: Apache-2.0
// What --effort means to each verb. How long a run takes with it is in measure/launch_length.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <strobe/measure.h>

namespace strobe {

struct EffortRow {
  Effort effort;
  std::string_view word;
  double shortest_seconds, longest_seconds;  // of each trial of `throughput`
  std::size_t pairs;                         // of `compare`
  std::size_t launches;                      // of the answer of `throughput` …
  double launch_seconds;                     // … and how long each of them is
};

inline constexpr std::array kEfforts{EffortRow{Effort::glance, "glance", 0.5, 1, 8, 3, 0.5},
                                     EffortRow{Effort::quick, "quick", 1, 3, 8, 3, 1},
                                     EffortRow{Effort::standard, "standard", 2, 10, 16, 5, 3},
                                     EffortRow{Effort::sustained, "sustained", 10, 60, 32, 5, 10}};

constexpr const EffortRow& effort_row(Effort e) {
  return *std::find_if(kEfforts.begin(), kEfforts.end(), [&](const EffortRow& row) { return row.effort == e; });
}

// The command line refuses other words.
constexpr Effort effort_named(std::string_view word) {
  const auto it =
      std::find_if(kEfforts.begin(), kEfforts.end(), [&](const EffortRow& row) { return row.word == word; });
  return it == kEfforts.end() ? Effort::standard : it->effort;
}

}  // namespace strobe

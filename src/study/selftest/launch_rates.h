// SPDX-License-Identifier: Apache-2.0
// How right runs of several launches and comparisons are, over simulated processes that draw their own speed: does the
// interval hold what the next run's launches read, and do the words hold? Everything between the options and the record
// takes part but the processes themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

// What differs between the processes of a simulated machine.
struct DrawnEffect {
  std::string_view name, parameters;
  double spread;  // standard deviation of what processes read, relative; of levels roughly
};
std::span<const DrawnEffect> drawn_effects();

// One of them: under it a change of 1 % must be found.
inline constexpr DrawnEffect kScatter{"normal 0.3 %", "launch=4us,kernels=2x2500us,noise=0.005,launch_noise=0.003",
                                      0.003};

// A quick run of five launches, all drawn by `seed`.
Record simulated_run(const DrawnEffect&, std::uint64_t seed);

// What `compare` says of the device time of two such machines after 8 pairs of processes; that of the second is longer
// by `change`. All draw by `seed`.
std::string word_of_compare(const DrawnEffect&, double change, std::uint64_t seed);

// Of runs, each against the one after it.
struct LaunchRates {
  std::size_t runs = 0;
  std::size_t launches = 0, inside = 0;       // of the next run, and those within this one's interval
  std::size_t repeats = 0, not_repeated = 0;  // runs that say so, and those that the next one belies
  std::size_t steady = 0,
              called_unsteady = 0;  // of machines whose processes agree within 0.1 %, and those said to vary

  LaunchRates& operator+=(const LaunchRates&);
};
LaunchRates tally(const Record& run, const Record& next, const DrawnEffect&);

}  // namespace strobe

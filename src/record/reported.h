// SPDX-License-Identifier: Apache-2.0
// What of a method's reading is reported, and held against its reference: `strobe methods` prints what it compares.
#pragma once

#include <optional>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

namespace statistic {
inline constexpr char median[] = "median";
inline constexpr char mean[] = "mean";
inline constexpr char min[] = "min";
inline constexpr char once[] = "once";  // there is one reading only
}  // namespace statistic

// Which table a method is in.
namespace method_group {
inline constexpr char named[] = "named";
inline constexpr char combination[] = "combination";  // of warm-up, clock, wait and reading
inline constexpr char chosen[] = "chosen";            // by its axes
inline constexpr char listing[] = "listing";
}  // namespace method_group

// In place of a listing's name: one after the other.
inline constexpr std::string_view kEveryListing = "all";

struct Reported {
  std::string_view statistic = statistic::median;
  Estimate estimate;
};

// Nothing where the case has no reading.
std::optional<Reported> reported(const Case&);

}  // namespace strobe

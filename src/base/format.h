// SPDX-License-Identifier: Apache-2.0
// Figures as people read them: three significant digits (up to five where an interval is too narrow to be seen in
// three), SI prefixes, the interval in the unit of the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace strobe {

// The parts of a figure, so that tables can align them: "1.87", "ms", "[1.86, 1.88]".
struct Figure {
  std::string number, unit, interval;
  std::string low, high;  // of the interval

  std::string plain() const;  // "1.87 ms  [1.86, 1.88]"
};

// `unit` is "ns", "items/s" or "bytes"; anything else is shown as it is. With neither side known there is no interval;
// one unbounded side is written as an infinity sign.
Figure figure(double value, std::string_view unit, std::optional<double> low = {}, std::optional<double> high = {});

// The unit in which a figure of this size is shown, and how many of `unit` it has: {1e6, "ms"}.
struct UnitPrefix {
  double scale;
  std::string_view unit;
};
UnitPrefix unit_prefix(double value, std::string_view unit);

std::string format_time(nanoseconds);
std::string format_time(double ns);
std::string format_bytes(Bytes);
std::string format_count(std::uint64_t);                                            // 11,689,512
std::string format_percent(double share);                                           // 0.0123 -> "1.2 %"
std::string counted(std::uint64_t n, std::string_view one, std::string_view many);  // "1 launch", "1,024 launches"
std::string cut_text(std::string_view text, std::size_t bytes);  // to at most so many, between words: "not enough …"
std::string format_shape(const std::vector<std::int64_t>&);      // 1×3×224×224

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Units of times as people write them: after a number, in a heading, behind --unit.
#pragma once

#include <optional>
#include <string_view>

namespace strobe {

struct TimeUnit {
  std::string_view word;  // ns, us, ms, s
  double ns = 0;

  bool operator==(const TimeUnit&) const = default;
};

// "ms", "msec", "Milliseconds"; also "µs". Nothing where it is no unit of time.
std::optional<TimeUnit> time_unit(std::string_view word);

// The unit that a heading names: "latency_ms", "Latency (ms)", "timeUs", "ns", "seconds". Of several the last.
std::optional<TimeUnit> unit_in_heading(std::string_view heading);

// The words of a heading: "startH2dMs [s]" is start, H2d, Ms, s.
bool heading_has_word(std::string_view heading, std::string_view lower_case_word);

}  // namespace strobe

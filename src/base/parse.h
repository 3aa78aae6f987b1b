// SPDX-License-Identifier: Apache-2.0
// What a user types: times, counts, shapes, key=value lists. Every failure is a usage error that shows the form
// expected.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"

namespace strobe {

// "10ms", "250us", "1.5s", "2min", "100ns"; a bare number is refused except 0: units are part of a time.
nanoseconds parse_time(std::string_view text, std::string_view what);
double parse_number(std::string_view text, std::string_view what);
std::int64_t parse_integer(std::string_view text, std::string_view what);
double parse_share(std::string_view text, std::string_view what);  // "0.005" or "0.5%"; in [0, 1]
// "99", "p99", "P99.9", "99%"; gives 0.99. "0.99" is refused: it may be the 99th or the first one of a thousand.
double parse_percentile(std::string_view text, std::string_view what);
Bytes parse_bytes(std::string_view text, std::string_view what);  // "64MiB", "1.5GB", "512B"; units as for times

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

// "name=value"; the value may contain further equals signs.
std::pair<std::string, std::string> parse_assignment(std::string_view text, std::string_view what);

// "1x128" or "1x128:i64"; every dimension at least 1, the product of all below 2^62.
struct ShapeText {
  std::vector<std::int64_t> dims;
  std::string type;  // empty when not given
};
ShapeText parse_shape(std::string_view text, std::string_view what);

// The candidate that is most like `word`, or empty when none is close: for "did you mean".
std::string nearest(std::string_view word, std::span<const std::string> candidates);
// " Did you mean 'x'?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace strobe

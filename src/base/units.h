// SPDX-License-Identifier: Apache-2.0
// Units live in types: a bare double is a pure number.
#pragma once

#include <chrono>
#include <cstdint>

namespace strobe {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

struct Bytes {
  std::uint64_t count = 0;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

inline double to_double(nanoseconds t) {
  return static_cast<double>(t.count());
}
inline double to_seconds(nanoseconds t) {
  return to_double(t) * 1e-9;
}
// Rounds to the nearest; a negative or absurd value is the caller's mistake.
inline nanoseconds to_nanoseconds(double ns) {
  return nanoseconds(static_cast<std::int64_t>(ns + (ns < 0 ? -0.5 : 0.5)));
}

}  // namespace strobe

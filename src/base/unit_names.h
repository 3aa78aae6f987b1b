// SPDX-License-Identifier: Apache-2.0
// How records spell the units of their metrics. A metric of somebody else may have any other.
#pragma once

namespace strobe::unit {

inline constexpr char ns[] = "ns";
inline constexpr char items_per_second[] = "items/s";
inline constexpr char bytes[] = "bytes";
inline constexpr char joules[] = "J";
inline constexpr char watts[] = "W";
inline constexpr char items_per_joule[] = "items/J";

}  // namespace strobe::unit

// SPDX-License-Identifier: Apache-2.0
// The device's own pause between two kernels differs from stream to stream of one process: on an H200 by about a tenth,
// in two levels, decided when a stream is made. A network of short kernels runs 3 to 4 % faster or slower by it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace strobe {

enum class StreamLevel { any, fast, slow };
std::string_view name(StreamLevel);

struct StreamLevels {
  std::vector<double> pauses_ns;    // per kernel, of the streams that were probed, in the order they were made
  std::optional<double> border_ns;  // above it a stream is slow; none: they are all alike

  StreamLevel level_of(double pause_ns) const;     // any: streams are all alike
  std::size_t count(StreamLevel) const;            // streams of this level; of any level all
  std::optional<double> pause(StreamLevel) const;  // their median; none: there are none
};

// Two levels where a gap of over 2 % parts streams whose means are over 5 % apart: of several such gaps the one that
// parts them furthest.
StreamLevels stream_levels_of(std::vector<double> pauses_ns);

}  // namespace strobe

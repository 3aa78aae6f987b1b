// SPDX-License-Identifier: Apache-2.0
// The time line of one iteration, drawn with characters: one line a resource, one letter a stage.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <strobe/record.h>

namespace strobe {

inline constexpr std::size_t kTimelineWidth = 64;  // fits with its labels on 80 columns

// `width` characters wide without the labels. Lanes in the order of their first span; a stage that is too short for a
// character of its own is shown where nothing longer lies.
std::string timeline_text(std::span<const TimelineSpan>, double until_ns, std::size_t width);

}  // namespace strobe

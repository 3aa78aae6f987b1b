// SPDX-License-Identifier: Apache-2.0
// Stretches of time and what can be asked of them: how much is covered, what lies between, where two lists meet. Pure
// arithmetic, in whole nanoseconds; where the stretches come from does not matter.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"

namespace strobe {

struct Interval {
  nanoseconds begin{}, end{};  // half open; nothing when end <= begin

  nanoseconds length() const { return end > begin ? end - begin : nanoseconds{}; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Ascending, apart from each other, none empty: what the other functions call a list.
std::vector<Interval> unite(std::vector<Interval>);

nanoseconds length_of(std::span<const Interval> list);

// The parts of `within` that the list leaves free.
std::vector<Interval> gaps(std::span<const Interval> list, Interval within);

// What both lists cover.
std::vector<Interval> common(std::span<const Interval> a, std::span<const Interval> b);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Overlapping stretches of time, divided so that each instant belongs to one of them: shares that add up to the whole.
#pragma once

#include <span>
#include <vector>

#include "base/intervals.h"

namespace strobe::trace {

enum class Keeper {
  last_begun,   // the innermost of calls that are within each other
  first_begun,  // the kernel that the others joined
};

// Of each stretch, how much of `within` it keeps where several cover an instant. What begins at the same time counts in
// the order of the list.
std::vector<nanoseconds> divide(std::span<const Interval>, Interval within, Keeper);

}  // namespace strobe::trace

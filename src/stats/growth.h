// SPDX-License-Identifier: Apache-2.0
// Whether a level rises with every step, as memory does that leaks. A level may also jump once, when an arena or a
// cache grows: that is no leak, however large it is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.h"

namespace strobe::stats {

// Blocks of steps, each of which rises or does not.
inline constexpr std::size_t kGrowthBlocks = 10;

// What a step adds: the median over ten blocks of equal length, by what each adds in all, with the interval of that
// median from order statistics. A jump is in one block, a leak in all of them. `levels`: before the first step, and
// after each; steps before the first whole block are left out. Nothing below six steps. What leaks in pieces that are
// rarer than the blocks is seen only with more steps.
std::optional<Estimate> growth(std::span<const double> levels, Confidence = {});

}  // namespace strobe::stats

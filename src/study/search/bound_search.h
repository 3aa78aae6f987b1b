// SPDX-License-Identifier: Apache-2.0
// Where to look for the highest rate within a latency bound, without knowing how points are tried.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace strobe {

// The largest batch that seems to keep the bound, 0 when none does: doubling up from `start`, or halving down to
// `smallest`, then four bisections. The time of a request grows with its batch.
std::int64_t search_bounded(const std::function<bool(std::int64_t)>& seems_kept, std::int64_t start,
                            std::int64_t smallest = 1);

// A point that kept the bound, or only seems to.
struct BoundedPoint {
  std::size_t index = 0;  // the caller's
  double rate = 0;
  bool proven = false;
};

// How many unproven points are worth a longer trial: each is a chance to be wrong.
inline constexpr std::size_t kUnprovenTried = 2;

// In which order to confirm them: by their rate, the unproven ones after the second left out.
std::vector<BoundedPoint> confirmation_order(std::vector<BoundedPoint>);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The best point of a sweep: the one with the highest rate; where no rate was measured, the one with the lowest
// latency.
#pragma once

#include <cstddef>
#include <string>

#include <strobe/record.h>

namespace strobe {

struct BestPoint {
  const Case* point = nullptr;  // null: nothing was measured
  std::string metric;           // what it is best in
  std::size_t rivals = 0;       // points whose interval reaches into its own: the order among them may be chance
};
BestPoint best_point(const Record&);

// The one with the lowest latency, if any has one.
const Case* quickest_point(const Record&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/simulated_launches.h"

#include <utility>
#include <vector>

#include "measure/launch_length.h"
#include "study/merge_launches.h"

namespace strobe {

// Streams as in study/launches.cc: both levels, the last one fast.
Record simulated_launches(RunOptions o, std::size_t launches) {
  std::vector<Record> all;
  for (std::size_t i = 1; i <= launches; ++i) {
    o.open.launch = i - 1;
    o.open.prefers_stream = i % 2 == 0 && i < launches ? "slow" : "fast";
    all.push_back(run(o));
  }
  return merge_launches(std::move(all), launch_length(o.measure).margin);
}

}  // namespace strobe

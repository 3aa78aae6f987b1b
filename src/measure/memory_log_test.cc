// SPDX-License-Identifier: Apache-2.0
// What a thread reads beside a call that takes long.
#include "measure/memory_log.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "device/inline_device.h"

namespace strobe {
namespace {

TEST(MemoryLog, SeesWhatALoadTakesForAWhile) {
  constexpr std::size_t kTaken = 64u << 20;
  MemoryLog log;
  log.begin(memory_phase::load, true);
  InlineDevice cpu;
  log.opened(cpu);
  {
    const std::vector<char> taken(kTaken, 'x');
    SteadyClock().sleep(100ms);
  }
  log.end(0);
  const MemoryPlace place = log.take().front();
  const auto most = std::max_element(place.curve.begin(), place.curve.end(),
                                     [](const MemoryPoint& a, const MemoryPoint& b) { return a.bytes < b.bytes; });
  EXPECT_GT(most->bytes, place.before + 0.9 * kTaken);
  EXPECT_GE(place.phases.front().peak.value, most->bytes);
  EXPECT_TRUE(std::is_sorted(place.curve.begin(), place.curve.end(),
                             [](const MemoryPoint& a, const MemoryPoint& b) { return a.at_ns < b.at_ns; }));
}

TEST(MemoryLog, EndsItsThreadWhereNobodyEndsThePhase) {
  MemoryLog log;
  log.begin(memory_phase::load, true);
}

}  // namespace
}  // namespace strobe

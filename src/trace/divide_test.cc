// SPDX-License-Identifier: Apache-2.0
#include "trace/divide.h"

#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe::trace {
namespace {

using Times = std::vector<nanoseconds>;

TEST(Divide, GivesCallsWithinACallTheirOwnTime) {
  const std::vector<Interval> calls{{0ns, 100ns}, {20ns, 50ns}, {30ns, 40ns}};
  EXPECT_EQ(divide(calls, {0ns, 100ns}, Keeper::last_begun), (Times{70ns, 20ns, 10ns}));
}

TEST(Divide, GivesOverlappingWorkToWhatBeganFirst) {
  const std::vector<Interval> work{{0ns, 60ns}, {40ns, 100ns}};
  EXPECT_EQ(divide(work, {0ns, 200ns}, Keeper::first_begun), (Times{60ns, 40ns}));
}

TEST(Divide, CountsNothingOutsideTheWindow) {
  const std::vector<Interval> work{{0ns, 30ns}, {90ns, 150ns}, {200ns, 300ns}};
  EXPECT_EQ(divide(work, {20ns, 100ns}, Keeper::last_begun), (Times{10ns, 10ns, 0ns}));
}

TEST(Divide, LetsTheOrderDecideWhereTwoBeginTogether) {
  const std::vector<Interval> work{{0ns, 10ns}, {0ns, 20ns}};
  EXPECT_EQ(divide(work, {0ns, 20ns}, Keeper::first_begun), (Times{10ns, 10ns}));
  EXPECT_EQ(divide(work, {0ns, 20ns}, Keeper::last_begun), (Times{0ns, 20ns}));
}

TEST(Divide, AddsUpToWhatIsCovered) {
  Random random(7);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<Interval> work;
    for (int i = 0; i < 12; ++i) {
      const nanoseconds begin(static_cast<std::int64_t>(random.uniform() * 1000));
      work.push_back({begin, begin + nanoseconds(static_cast<std::int64_t>(random.uniform() * 200))});
    }
    const Interval window{100ns, 900ns};
    for (const Keeper keeper : {Keeper::first_begun, Keeper::last_begun}) {
      const Times kept = divide(work, window, keeper);
      const std::vector<Interval> covered = unite(work);
      EXPECT_EQ(std::accumulate(kept.begin(), kept.end(), 0ns), length_of(common(covered, {{window}})));
    }
  }
}

}  // namespace
}  // namespace strobe::trace

// SPDX-License-Identifier: Apache-2.0
#include "measure/cpu_watch.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(CpuWatch, SaysNothingBeforeThereWasASegment) {
  CpuWatch watch;
  EXPECT_FALSE(watch.seen());
  watch.stays_on(3);
  watch.begin(3);
  EXPECT_FALSE(watch.seen());
}

TEST(CpuWatch, KeepsTheCpusOfEachPassAndCountsMovesWithinAndBetweenSegments) {
  CpuWatch watch;
  const auto segment = [&](const char* metric, int begin, int end) {
    watch.begin(begin);
    watch.end(metric, end);
  };
  segment("latency", 3, 3);
  segment("period", 3, 5);   // within
  segment("latency", 1, 1);  // between
  segment("latency", 3, 3);
  const CpuObservation seen = watch.seen().value();
  EXPECT_EQ(seen.passes.at("latency"), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(seen.passes.at("period"), (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ(seen.moves, 3u);
  EXPECT_TRUE(seen.pinned.empty());
}

TEST(CpuWatch, KnowsTheOneThatItsThreadStaysOn) {
  CpuWatch watch;
  watch.stays_on(7);
  watch.begin(7);
  watch.end("latency", 7);
  EXPECT_EQ(watch.seen()->pinned, std::vector<std::int64_t>{7});
  EXPECT_EQ(watch.seen()->moves, 0u);
}

TEST(CpuWatch, MakesNoMoveOfAnAnswerThatIsMissing) {
  CpuWatch watch;
  watch.begin(3);
  watch.end("latency", std::nullopt);
  watch.begin(std::nullopt);
  watch.end("latency", 3);
  EXPECT_EQ(watch.seen()->moves, 0u);
  EXPECT_EQ(watch.seen()->passes.at("latency"), std::vector<std::int64_t>{3});
}

}  // namespace
}  // namespace strobe

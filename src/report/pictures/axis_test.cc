// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/axis.h"

#include <gtest/gtest.h>

namespace strobe::page {
namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> out;
  for (const Tick& t : ticks) out.push_back(t.label);
  return out;
}

TEST(Axis, DrawsValuesOutsideAtTheEdge) {
  const Axis axis({10, 20}, 100, 0);
  EXPECT_DOUBLE_EQ(axis(15), 50);
  EXPECT_DOUBLE_EQ(axis(99), 0);
  EXPECT_DOUBLE_EQ(axis(-1), 100);
}

TEST(Axis, HasRoundTicksInOneUnit) {
  const Axis axis({0.9e6, 2.1e6}, 0, 100);
  EXPECT_EQ(labels(axis.ticks("ns", 5)), (std::vector<std::string>{"1.0", "1.5", "2.0"}));
  EXPECT_EQ(axis.unit_of("ns"), "ms");
  EXPECT_EQ(Axis({0, 3e9}, 0, 1).unit_of("bytes"), "GiB");
}

TEST(Axis, NeverWritesANegativeZero) {
  for (const Tick& t : Axis({-1, 1}, 0, 1).ticks("", 4)) EXPECT_NE(t.label.substr(0, 3), "-0.0") << t.label;
}

TEST(Axis, OfOneValueIsWidenedAroundIt) {
  const Axis axis({5, 5}, 0, 100);
  EXPECT_DOUBLE_EQ(axis(5), 50);
  EXPECT_FALSE(axis.ticks("ns", 4).empty());
}

TEST(Axis, SpreadsRatiosEvenlyWhenLogarithmic) {
  const Axis axis({1e6, 1e8}, 0, 100, true);
  EXPECT_DOUBLE_EQ(axis(1e7), 50);
  EXPECT_EQ(labels(axis.ticks("ns", 5)),
            (std::vector<std::string>{"1 ms", "2 ms", "5 ms", "10 ms", "20 ms", "50 ms", "100 ms"}));
}

TEST(Axis, HasRoundTicksOnANarrowLogarithmicRangeToo) {
  const Axis axis({0.985, 1.042}, 0, 100, true);
  EXPECT_EQ(labels(axis.ticks("", 5)), (std::vector<std::string>{"1.00", "1.02", "1.04"}));
  EXPECT_EQ(labels(Axis({0.4, 4.5}, 0, 100, true).ticks("", 5)), (std::vector<std::string>{"0.5", "1", "2"}));
}

}  // namespace
}  // namespace strobe::page

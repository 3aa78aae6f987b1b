// SPDX-License-Identifier: Apache-2.0
#include "cli/points.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe::cli {
namespace {

std::string numbers_up_to(int n) {
  std::string list = "seed=1";
  for (int i = 2; i <= n; ++i) list += "," + std::to_string(i);
  return list;
}

TEST(Points, AreAllCombinationsInTheOrderOfTheirLists) {
  const auto all = points({"batch=1,8", "threads=2,4"}, "--sweep");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].name, "batch=1 threads=4");
  EXPECT_EQ(all[2].words, (std::vector<std::string>{"--batch=8", "--threads=2"}));
  EXPECT_EQ(std::get<std::string>(all[3].settings.at("threads")), "4");
}

TEST(Points, AreOneThatSetsNothingWithoutAList) {
  const auto all = points({}, "--vary");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].words.empty());
}

TEST(Points, AreAtMost256) {
  EXPECT_EQ(points({numbers_up_to(256)}, "--sweep").size(), 256u);
  EXPECT_THROW(points({numbers_up_to(257)}, "--sweep"), Error);
  EXPECT_EQ(points({numbers_up_to(16), "batch=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"}, "--sweep").size(), 256u);
  EXPECT_THROW(points({numbers_up_to(16), "batch=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"}, "--sweep"), Error);
}

TEST(Points, RefuseWhatChangesNoMeasurement) {
  EXPECT_THROW(points({"format=csv,md"}, "--sweep"), Error);
}

}  // namespace
}  // namespace strobe::cli

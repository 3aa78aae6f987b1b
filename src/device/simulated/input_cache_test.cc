// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/input_cache.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

// Whether each of `inputs`, read one after the other, was there.
std::vector<bool> hits(InputCache& cache, std::initializer_list<std::size_t> inputs) {
  std::vector<bool> there;
  for (const std::size_t i : inputs) there.push_back(cache.read(i));
  return there;
}

using Hits = std::vector<bool>;

TEST(InputCache, KeepsWhatItHasRoomFor) {
  InputCache cache(3);
  cache.make(3);
  EXPECT_EQ(hits(cache, {0, 1, 2, 0, 1, 2}), (Hits{false, false, false, true, true, true}));
}

TEST(InputCache, HasNothingOfARotationOfOneMoreThanItHasRoomFor) {
  InputCache cache(3);
  cache.make(4);
  EXPECT_EQ(hits(cache, {0, 1, 2, 3, 0, 1, 2, 3}), Hits(8, false));
}

TEST(InputCache, GivesUpTheOneThatWasReadLongestAgo) {
  InputCache cache(2);
  cache.make(3);
  EXPECT_EQ(hits(cache, {0, 1, 0, 2, 0, 1}), (Hits{false, false, true, false, true, false}));
}

TEST(InputCache, HoldsNothingWhereOneInputIsTooLarge) {
  InputCache cache(0);
  cache.make(1);
  EXPECT_EQ(hits(cache, {0, 0, 0}), Hits(3, false));
}

TEST(InputCache, IsEmptyAfterAFlushAndFillsAgain) {
  InputCache cache(2);
  cache.make(2);
  hits(cache, {0, 1});
  cache.flush();
  EXPECT_EQ(hits(cache, {1, 0, 1, 0}), (Hits{false, false, true, true}));
}

TEST(InputCache, NumbersTheInputsOfSeveralWorkloads) {
  InputCache cache(2);
  EXPECT_EQ(cache.make(2), 0u);
  EXPECT_EQ(cache.make(3), 2u);
  EXPECT_EQ(hits(cache, {1, 4, 1, 4}), (Hits{false, false, true, true}));
}

}  // namespace
}  // namespace strobe

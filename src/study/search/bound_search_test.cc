// SPDX-License-Identifier: Apache-2.0
#include "study/search/bound_search.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

struct Search {
  std::int64_t edge;  // the largest that keeps the bound
  std::vector<std::int64_t> tried = {};

  std::int64_t from(std::int64_t start, std::int64_t smallest = 1) {
    return search_bounded(
        [&](std::int64_t b) {
          tried.push_back(b);
          return b <= edge;
        },
        start, smallest);
  }
};

TEST(BoundSearch, DoublesUpThenLooksBetween) {
  Search s{60};
  EXPECT_EQ(s.from(1), 60);
  EXPECT_EQ(s.tried, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 48, 56, 60, 62}));
}

TEST(BoundSearch, HalvesDownWhereTheStartIsTooLarge) {
  Search s{6};
  EXPECT_EQ(s.from(32), 6);
  EXPECT_EQ(s.tried, (std::vector<std::int64_t>{32, 16, 8, 4, 6, 7}));
}

TEST(BoundSearch, StaysAtOrAboveTheSmallestBatch) {
  Search s{1};
  EXPECT_EQ(s.from(1, 2), 0);
  EXPECT_EQ(s.tried, (std::vector<std::int64_t>{2}));
}

TEST(BoundSearch, EndsWhereEverythingKeepsTheBound) {
  Search s{std::int64_t{1} << 40};
  EXPECT_EQ(s.from(1), std::int64_t{1} << 24);
}

TEST(ConfirmationOrder, LetsUnprovenPointsNotCrowdOutProvenOnes) {
  const auto order = confirmation_order({{0, 10, true}, {1, 50, false}, {2, 40, false}, {3, 30, false}, {4, 20, true}});
  std::vector<std::size_t> indices;
  for (const BoundedPoint& p : order) indices.push_back(p.index);
  EXPECT_EQ(indices, (std::vector<std::size_t>{1, 2, 4, 0}));
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/launch_length.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "measure/turn_order.h"

namespace strobe {
namespace {

TEST(LaunchLength, IsThatOfTheEffortUnlessTheUserSaysOtherwise) {
  EXPECT_EQ(launch_length({.effort = Effort::glance}).launches, 1u);
  EXPECT_EQ(launch_length({.effort = Effort::quick}).launches, 5u);
  EXPECT_EQ(launch_length({.effort = Effort::standard}).launches, 10u);
  EXPECT_EQ(launch_length({.effort = Effort::sustained}).soak, 60s);
  EXPECT_EQ(launch_length({.effort = Effort::quick, .launches = 7}).launches, 7u);
  EXPECT_EQ(launch_length({.effort = Effort::quick, .min_time = 3s}).length, 3s);
  EXPECT_EQ(launch_length({.effort = Effort::quick, .margin = 0.005}).margin, 0.005);
}

TEST(LaunchLength, FitsIntoAMaximumTime) {
  for (const Effort effort : {Effort::glance, Effort::quick, Effort::standard, Effort::sustained}) {
    const LaunchLength l = launch_length({.effort = effort, .max_time = 1s});
    EXPECT_LE(l.soak + l.length, 1s);
    EXPECT_GE(l.length, 700ms);
  }
}

// Over one square.
TEST(TurnOrder, PutsEachInEachPlaceAndBehindEachOtherEquallyOften) {
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    const std::size_t rows = n % 2 == 0 ? n : 2 * n;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> place, behind;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto order = turn_order(n, row);
      EXPECT_EQ(std::set(order.begin(), order.end()).size(), n);
      for (std::size_t i = 0; i < n; ++i) {
        ++place[{i, order[i]}];
        if (i > 0) ++behind[{order[i - 1], order[i]}];
      }
    }
    EXPECT_EQ(place.size(), n * n);
    for (const auto& [key, times] : place) EXPECT_EQ(times, rows / n) << n;
    EXPECT_EQ(behind.size(), n * (n - 1));
    for (const auto& [key, times] : behind) EXPECT_EQ(times, rows / n) << n;
  }
}

}  // namespace
}  // namespace strobe

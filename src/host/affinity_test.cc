// SPDX-License-Identifier: Apache-2.0
#include "host/affinity.h"

#include <sched.h>
#include <thread>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Affinity, ReadsTheKernelsListsOfCpus) {
  EXPECT_EQ(parse_cpu_list("0-3,8\n"), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("5"), (std::vector<int>{5}));
  EXPECT_TRUE(parse_cpu_list("").empty());
  EXPECT_TRUE(parse_cpu_list("x,-").empty());
  EXPECT_TRUE(parse_cpu_list("7-3").empty());
}

TEST(Affinity, PinsOnlyToCpusThatWereAllowed) {
  std::thread([] {  // a thread of its own: what it may use ends with it
    EXPECT_FALSE(pin_to({1000}));
    EXPECT_FALSE(pin_to({}));
    EXPECT_TRUE(pin_to({0, 1000}));
  })
      .join();
}

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<int> cpus;
  for (int c = 0; c < CPU_SETSIZE; ++c) {
    if (CPU_ISSET(c, &set)) cpus.push_back(c);
  }
  return cpus;
}

TEST(Affinity, MovesFromOnePlaceToAnotherAndBackToWhereItWas) {
  std::thread([] {
    const std::vector<int> all = allowed_cpus();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    EXPECT_TRUE(pin_to({all.front()}));
    EXPECT_TRUE(pin_to({all.back()}));  // the other socket of a second GPU
    EXPECT_EQ(allowed_cpus(), std::vector<int>{all.back()});
    unpin();
    EXPECT_EQ(allowed_cpus(), all);
  }).join();
}

TEST(Affinity, LeavesWhatSomebodyElseChangedMeanwhile) {
  std::thread([] {
    const std::vector<int> all = allowed_cpus();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    unpin();
    EXPECT_EQ(allowed_cpus(), all);
    EXPECT_TRUE(pin_to({all.front()}));
    cpu_set_t theirs;
    CPU_ZERO(&theirs);
    CPU_SET(all.back(), &theirs);
    ASSERT_EQ(::sched_setaffinity(0, sizeof theirs, &theirs), 0);
    EXPECT_FALSE(pin_to({all.front()}));
    unpin();
    EXPECT_EQ(allowed_cpus(), std::vector<int>{all.back()});
  }).join();
}

}  // namespace
}  // namespace strobe

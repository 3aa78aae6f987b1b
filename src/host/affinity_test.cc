// SPDX-License-Identifier: Apache-2.0
#include "host/affinity.h"

#include <algorithm>
#include <latch>
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

TEST(Affinity, MovesFromOnePlaceToAnotherAndBackToWhereItWas) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    EXPECT_TRUE(pin_to({all.front()}));
    EXPECT_TRUE(pin_to({all.back()}));  // the other socket of a second GPU
    EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.back()});
    unpin();
    EXPECT_EQ(cpus_of_this_thread(), all);
  }).join();
}

TEST(Affinity, LeavesWhatSomebodyElseChangedMeanwhile) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    unpin();
    EXPECT_EQ(cpus_of_this_thread(), all);
    EXPECT_TRUE(pin_to({all.front()}));
    cpu_set_t theirs;
    CPU_ZERO(&theirs);
    CPU_SET(all.back(), &theirs);
    ASSERT_EQ(::sched_setaffinity(0, sizeof theirs, &theirs), 0);
    EXPECT_FALSE(pin_to({all.front()}));
    unpin();
    EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.back()});
  }).join();
}

TEST(Affinity, KnowsWhereThisThreadRunsAndOnWhichNodeThatIs) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    ASSERT_TRUE(pin_to({all.back()}));
    EXPECT_EQ(current_cpu(), all.back());
    EXPECT_EQ(cpus_of_this_thread_unpinned(), all);
    if (const auto node = numa_node_of(all.back())) {
      EXPECT_EQ(current_numa_node(), node);
    }
    EXPECT_EQ(numa_node_of(1 << 20), std::nullopt);
  }).join();
}

TEST(Pin, KeepsItsThreadOnOneCpuAndRestoresWhatItMightUse) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    {
      const Pin pin({all.back()});
      EXPECT_TRUE(pin);
      EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.back()});
      EXPECT_EQ(current_cpu(), all.back());
    }
    EXPECT_EQ(cpus_of_this_thread(), all);
  }).join();
}

TEST(Pin, ReachesWhatAPinnedThreadMightUseAndGoesBackToWhereThatWas) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    ASSERT_TRUE(pin_to({all.front()}));  // near a GPU
    {
      const Pin pin({all.back()});
      EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.back()});
    }
    EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.front()});
    unpin();
    EXPECT_EQ(cpus_of_this_thread(), all);
  }).join();
}

TEST(Pin, ChangesNothingWhereNoneOfItsCpusIsAllowed) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    for (const std::vector<int>& none : {std::vector<int>{}, {1000}, {-1, 1 << 20}}) {
      const Pin pin(none);
      EXPECT_FALSE(pin);
      EXPECT_EQ(cpus_of_this_thread(), all);
    }
    EXPECT_EQ(cpus_of_this_thread(), all);
  }).join();
}

TEST(Pin, LeavesWhatSomebodyElseChangedMeanwhile) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    {
      const Pin pin({all.front()});
      cpu_set_t theirs;
      CPU_ZERO(&theirs);
      CPU_SET(all.back(), &theirs);
      ASSERT_EQ(::sched_setaffinity(0, sizeof theirs, &theirs), 0);
    }
    EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.back()});
  }).join();
}

TEST(KeepOn, SendsAnotherThreadToTheCpusThatAreNamed) {
  const std::vector<int> all = cpus_of_this_thread();
  std::latch sent(1);
  std::vector<int> theirs;
  std::thread other([&] {
    sent.wait();
    theirs = cpus_of_this_thread();
  });
  EXPECT_TRUE(keep_on(other, {all.back(), 1 << 20}));
  EXPECT_FALSE(keep_on(other, {}));
  sent.count_down();
  other.join();
  EXPECT_EQ(theirs, std::vector<int>{all.back()});
  EXPECT_EQ(cpus_of_this_thread(), all);
}

}  // namespace
}  // namespace strobe

#include "host/affinity.h"

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

}  // namespace
}  // namespace strobe

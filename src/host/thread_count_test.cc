// SPDX-License-Identifier: Apache-2.0
#include "host/thread_count.h"

#include <latch>
#include <thread>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(ThreadCount, GrowsByTheThreadsThatAreStarted) {
  const std::size_t before = thread_count();
  std::latch counted(1);
  std::jthread first([&] { counted.wait(); });
  std::jthread second([&] { counted.wait(); });
  EXPECT_EQ(thread_count(), before + 2);
  counted.count_down();
}

}  // namespace
}  // namespace strobe

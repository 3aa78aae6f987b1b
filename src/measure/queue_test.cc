// SPDX-License-Identifier: Apache-2.0
#include "measure/queue.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

// Kernels of 100 µs that cost the host 1 µs.
class QueueTest : public ::testing::Test {
 protected:
  QueueTest() { stream_->reserve(8); }
  void submit(int number) {
    static_cast<SimulatedStream&>(*stream_).launch_kernel(1us, 100us);
    queue_.push(number, stream_->mark());
  }

  SimulatedDevice device_{parse_sim("launch=1us,kernels=1x100us")};
  std::unique_ptr<Stream> stream_ = device_.stream();
  Queue<int> queue_{*stream_, 3};
};

TEST_F(QueueTest, GivesTheOldestFirstHoweverOftenItGoesRound) {
  EXPECT_TRUE(queue_.empty());
  int next = 0, oldest = 0;
  for (int i = 0; i < 10; ++i) {
    while (!queue_.full()) submit(next++);
    EXPECT_EQ(queue_.pop(), oldest++);
    EXPECT_EQ(queue_.pop(), oldest++);
    EXPECT_FALSE(queue_.empty());
  }
}

TEST_F(QueueTest, WaitsForTheOldestAlone) {
  submit(0);
  submit(1);
  queue_.pop();
  EXPECT_GE(device_.clock().now(), 100us);
  EXPECT_LT(device_.clock().now(), 200us);
}

TEST_F(QueueTest, KnowsWithoutWaitingWhetherTheOldestIsDone) {
  EXPECT_FALSE(queue_.done());
  submit(0);
  const nanoseconds before = device_.clock().now();
  EXPECT_FALSE(queue_.done());
  EXPECT_EQ(device_.clock().now(), before);
  device_.clock().sleep_until(before + 100us);
  EXPECT_EQ(device_.clock().now(), before + 100us);
  EXPECT_TRUE(queue_.done());
  EXPECT_EQ(queue_.pop(), 0);
  EXPECT_FALSE(queue_.done());
}

TEST_F(QueueTest, SleepsNotUntilATimeThatIsOver) {
  const nanoseconds now = device_.clock().now();
  device_.clock().sleep_until(now);
  EXPECT_EQ(device_.clock().now(), now);
}

}  // namespace
}  // namespace strobe

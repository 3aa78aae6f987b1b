// SPDX-License-Identifier: Apache-2.0
#include "device/host_lock.h"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

struct Counted final : HostLock {
  void give() override { held = false; }
  void take() override { held = true; }
  bool held = true;
};

TEST(HostLock, IsGivenAwayByEachWayToWait) {
  SimulatedDevice device({});
  const auto stream = device.stream();
  stream->reserve(1);
  Counted lock;
  const LendWhileWaiting lend(lock);
  const Mark mark = stream->mark();
  stream->wait(mark);
  EXPECT_FALSE(lock.held);
  take_host_lock();
  EXPECT_TRUE(lock.held);
  stream->synchronize();
  EXPECT_FALSE(lock.held);
  take_host_lock();
  device.synchronize();
  EXPECT_FALSE(lock.held);
}

TEST(HostLock, IsHeldAgainAfterwards) {
  Counted lock;
  {
    const LendWhileWaiting lend(lock);
    give_host_lock();
  }
  EXPECT_TRUE(lock.held);
  give_host_lock();
  EXPECT_TRUE(lock.held) << "nothing is lent any more";
}

TEST(HostLock, OfOneThreadIsNotGivenAwayByAnother) {
  Counted lock;
  const LendWhileWaiting lend(lock);
  std::thread([] { give_host_lock(); }).join();
  EXPECT_TRUE(lock.held);
}

TEST(HostLock, LentWithinAnotherIsThatOfTheInnerScope) {
  Counted outer, inner;
  const LendWhileWaiting lend_outer(outer);
  {
    const LendWhileWaiting lend_inner(inner);
    give_host_lock();
    EXPECT_TRUE(outer.held);
    EXPECT_FALSE(inner.held);
  }
  give_host_lock();
  EXPECT_FALSE(outer.held);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/overlapping_requests.h"

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

// Requests that end when the test says so.
class OverlappingRequestsTest : public ::testing::Test {
 protected:
  OverlappingRequests::Plan plan(std::size_t places) {
    return {.streams = 2,
            .outstanding = places,
            .places = places,
            .start = [this](std::size_t place) { started_.push_back(place); },
            .finish = [this](std::size_t place) { finished_.push_back(place); }};
  }

  SteadyClock clock_;
  std::vector<std::size_t> started_, finished_;
};

TEST_F(OverlappingRequestsTest, EndInAnyOrder) {
  OverlappingRequests r(clock_, plan(3));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(r.start(i), i);
  for (const std::size_t place : {2u, 0u, 1u}) {
    r.ended(place);
    EXPECT_EQ(r.next_end().place, place);
  }
  EXPECT_EQ(finished_, (std::vector<std::size_t>{2, 0, 1}));
}

TEST_F(OverlappingRequestsTest, TakeTheNextFreePlaceWhereTheirsIsTaken) {
  OverlappingRequests r(clock_, plan(3));
  for (std::size_t i = 0; i < 3; ++i) r.start(i);
  r.ended(2);
  r.next_end();
  EXPECT_EQ(r.start(3), 2u);  // 0 and 1 are out
  EXPECT_THROW(r.start(4), Error);
  for (std::size_t i = 0; i < 3; ++i) r.ended(i);
}

TEST_F(OverlappingRequestsTest, EndWhenTheRuntimeSaysSoHoweverLateSomebodyAsks) {
  OverlappingRequests r(clock_, plan(2));
  r.start(0);
  r.start(1);
  r.ended(1);
  const nanoseconds told = clock_.now();
  clock_.sleep(2ms);
  r.ended(0);
  const auto first = r.next_end(), second = r.next_end();
  EXPECT_LE(first.at, told);
  EXPECT_GE(second.at - first.at, 2ms);
}

TEST_F(OverlappingRequestsTest, FreeTheirPlaceWhenTheyFail) {
  auto failing = plan(1);
  failing.finish = [](std::size_t) { throw std::runtime_error("no"); };
  OverlappingRequests r(clock_, failing);
  r.start(0);
  r.ended(0);
  EXPECT_THROW(r.next_end(), std::runtime_error);
  EXPECT_EQ(r.start(1), 0u);
  r.ended(0);
}

TEST_F(OverlappingRequestsTest, AreNotOutWhenTheyCannotBegin) {
  auto refusing = plan(1);
  refusing.start = [](std::size_t) { throw std::runtime_error("busy"); };
  OverlappingRequests r(clock_, refusing);
  EXPECT_THROW(r.start(0), std::runtime_error);
  EXPECT_THROW(r.start(0), std::runtime_error);  // the place is free; and nobody waits for it at the end
}

TEST_F(OverlappingRequestsTest, AreWaitedForBeforeTheyGo) {
  std::atomic<bool> done = false;
  std::jthread runtime;
  std::optional<OverlappingRequests> r;
  auto slow = plan(1);
  slow.start = [&](std::size_t place) {
    runtime = std::jthread([&, place] {
      std::this_thread::sleep_for(5ms);
      done = true;
      r->ended(place);
    });
  };
  slow.finish = [&](std::size_t) { runtime.join(); };
  r.emplace(clock_, slow);
  r->start(0);
  r.reset();
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/request_lanes.h"

#include <gtest/gtest.h>

#include "workload/simulated_workload.h"

namespace strobe {
namespace {

std::vector<TimelineSpan> lanes_of(const char* text) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  return request_lanes(union_times(work, 1ms, false, request));
}

struct Stretch {
  const char *lane, *name;
  double begin, end;
};

void expect_lanes(const char* text, const std::vector<Stretch>& expected) {
  const std::vector<TimelineSpan> spans = lanes_of(text);
  ASSERT_EQ(spans.size(), expected.size()) << text;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i].lane, expected[i].lane) << text;
    EXPECT_EQ(spans[i].name, expected[i].name) << text;
    EXPECT_NEAR(spans[i].begin_ns, expected[i].begin, 1) << text << " " << i;
    EXPECT_NEAR(spans[i].end_ns, expected[i].end, 1) << text << " " << i;
  }
}

TEST(RequestLanes, ShowAHostThatSubmitsAndThenWaitsForTheDevice) {
  expect_lanes("launch=1us,kernels=10x100us",
               {{"host", "submit", 0, 10'000}, {"host", "wait", 10'000, 1'001'000}, {"device", "work", 0, 1'001'000}});
}

TEST(RequestLanes, ShowADeviceThatTheHostKeepsWaiting) {
  expect_lanes(
      "launch=50us,kernels=20x10us",
      {{"host", "submit", 0, 1'000'000}, {"host", "wait", 1'000'000, 1'010'000}, {"device", "work", 0, 1'010'000}});
}

TEST(RequestLanes, BeginTheWorkWhereTheDeviceComesToItsMark) {
  const auto spans = lanes_of("launch=1us,kernels=10x100us,mark_gpu=8us");
  ASSERT_EQ(spans.size(), 4u);
  EXPECT_EQ(spans[2].name, "wait");
  EXPECT_NEAR(spans[2].end_ns, 8'000, 8'000);  // as far as marks can be placed
  EXPECT_EQ(spans[3].name, "work");
  EXPECT_EQ(spans[3].begin_ns, spans[2].end_ns);
}

TEST(RequestLanes, ShowNoWaitThatIsShorterThanMarksCanBePlaced) {
  const auto spans = lanes_of("launch=1us,kernels=10x100us,mark=1us,sync=10us");
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[2].begin_ns, 0);
}

TEST(RequestLanes, NeverLetTheDeviceWorkAfterTheHostKnowsOfItsEnd) {
  for (const TimelineSpan& s : lanes_of("launch=1us,kernels=10x100us,sync=30us")) EXPECT_LE(s.end_ns, 1'031'000);
}

TEST(RequestLanes, AreThoseOfTheMedianRequest) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=10x100us,outliers=0.3:3,seed=5"));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  EXPECT_NEAR(request_lanes(union_times(work, 1ms, false, request)).back().end_ns, 1'001'000, 1);
}

TEST(RequestLanes, AreNotShownWhereTheClocksCannotBeTied) {
  EXPECT_TRUE(lanes_of("launch=1us,kernels=1x100us,mark=9us,sync=9us").empty());
}

}  // namespace
}  // namespace strobe

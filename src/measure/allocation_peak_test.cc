// SPDX-License-Identifier: Apache-2.0
#include "measure/allocation_peak.h"

#include <gtest/gtest.h>

#include "base/units.h"

namespace strobe {
namespace {

AllocationEvent begun(nanoseconds at, std::uint64_t block, std::int64_t bytes, const char* cause) {
  return {at, block, bytes, cause, "layer of " + std::string(cause)};
}
AllocationEvent ended(nanoseconds at, std::uint64_t block, std::int64_t bytes) {
  return {at, block, -bytes, {}, {}};
}

// 100 for good; 50 and 30 of two layers that overlap; 20 later.
std::vector<AllocationEvent> three_phases() {
  return {begun(1us, 1, 100, "weights"),    begun(2us, 2, 50, "activations"),
          begun(3us, 3, 30, "activations"), ended(4us, 2, 50),
          begun(5us, 4, 20, "workspace"),   ended(6us, 3, 30)};
}

std::vector<MemoryPhase> load_and_request() {
  return {{.name = "load", .begin_ns = 0, .end_ns = 1000}, {.name = "first request", .begin_ns = 1000, .end_ns = 9000}};
}

TEST(AllocationPeak, IsTheMostAtOnceByItsCauses) {
  const AllocationPeak peak = allocation_peak(three_phases());
  EXPECT_EQ(peak.bytes, 180);
  EXPECT_EQ(peak.by_cause, (std::map<std::string, double>{{"weights", 100}, {"activations", 80}}));
}

TEST(AllocationPeak, LeavesOutTheEndOfWhatNobodySawBegin) {
  std::vector<AllocationEvent> events = three_phases();
  events.insert(events.begin(), ended(0us, 77, 1000));
  EXPECT_EQ(allocation_peak(events).bytes, 180);
}

TEST(AllocationPeak, KeepsALevelOverTimeWithThePeakOfEachPhase) {
  const MemoryPlace place = place_of_allocations(three_phases(), 0us, load_and_request());
  ASSERT_EQ(place.phases.size(), 2u);
  EXPECT_EQ(place.phases[0].peak.value, 100);
  EXPECT_EQ(place.phases[0].end.value, 100);
  EXPECT_EQ(place.phases[1].peak.value, 180);
  EXPECT_EQ(place.phases[1].end.value, 120);
  EXPECT_EQ(place.curve.back().bytes, 120);
  EXPECT_EQ(place.curve.back().at_ns, 9000);
}

TEST(AllocationPeak, GivesTheLargestWithTheirPhaseAndCause) {
  const auto events = largest_events(three_phases(), 0us, load_and_request(), 2);
  ASSERT_EQ(events.size(), 3u);  // two begin, one of them ends
  EXPECT_EQ(events[0].bytes, 100);
  EXPECT_EQ(events[0].phase, "load");
  EXPECT_EQ(events[1].phase, "first request");
  EXPECT_EQ(events[2].bytes, -50);
  EXPECT_EQ(events[2].cause, "activations");
  EXPECT_EQ(events[2].layer, "layer of activations");
}

TEST(AllocationPeak, GivesOfThoseThatAreAlikeTheFirstInEachPhase) {
  std::vector<AllocationEvent> events = three_phases();
  events.push_back(begun(7us, 5, 50, "activations"));
  events.push_back(begun(8us, 6, 50, "weights"));
  std::vector<double> at;
  for (const MemoryEvent& e : largest_events(events, 0us, load_and_request(), 9)) at.push_back(e.at_ns);
  EXPECT_EQ(at, (std::vector<double>{1000, 2000, 3000, 4000, 5000, 6000, 8000}));
}

}  // namespace
}  // namespace strobe

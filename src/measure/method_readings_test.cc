// SPDX-License-Identifier: Apache-2.0
#include "measure/method_readings.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Sample taken(nanoseconds begin, nanoseconds submit, nanoseconds done, nanoseconds device = {}) {
  Sample s;
  s.begin = begin;
  s.submitted = begin + submit;
  s.done = begin + done;
  s.device = device;
  return s;
}

constexpr Method kByHost{.name = "x"}, kByDevice{.name = "x", .clock = Method::Clock::device};

TEST(Readings, AreOfKeptSamplesByTheClockOfTheMethod) {
  Samples samples{taken(0ns, 2us, 9us, 7us), taken(10us, 2us, 8us, 6us)};
  samples[0].state = SampleState::settling;
  samples[1].requests = 2;
  EXPECT_EQ(readings_of(samples, kByHost), std::vector<double>{4'000});
  EXPECT_EQ(readings_of(samples, kByDevice), std::vector<double>{3'000});
}

TEST(Readings, OfAFullQueueAreThePeriodUnlessMarksAreAroundEachRequest) {
  Method full = kByHost;
  full.wait = Method::Wait::event;
  full.queue = Method::Queue::full;
  const Samples samples{taken(0ns, 1us, 40us, 9us), taken(10us, 1us, 40us, 9us), taken(20us, 1us, 40us, 9us)};
  EXPECT_EQ(readings_of(samples, full), std::vector<double>{10'000});
  EXPECT_EQ(readings_of(samples, full, {.requests = 4, .length = 36us}), std::vector<double>{9'000});
  full.clock = Method::Clock::device;
  EXPECT_EQ(readings_of(samples, full), std::vector<double>(3, 9'000));
}

TEST(Readings, OfColdRequestsStopWhereTheMethodDoes) {
  const Sample s = taken(0ns, 2us, 9us, 7us);
  EXPECT_EQ(cold_reading(s, {.name = "x", .wait = Method::Wait::none}), 2'000);
  EXPECT_EQ(cold_reading(s, kByHost), 9'000);
  EXPECT_EQ(cold_reading(s, kByDevice), 7'000);
}

TEST(UsualQueue, IsWhatMoreThanHalfOfTheSegmentsSaw) {
  const auto after = [](std::uint64_t n) { return FullQueue{.after = n}; };
  EXPECT_FALSE(usual_queue({}, 5));
  EXPECT_FALSE(usual_queue({after(9), after(9)}, 5));
  EXPECT_EQ(usual_queue({after(12), after(9), after(10)}, 5)->after, 10u);
}

}  // namespace
}  // namespace strobe

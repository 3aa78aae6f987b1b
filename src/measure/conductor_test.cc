// SPDX-License-Identifier: Apache-2.0
// Two devices, one of them three times as slow and noisy: led by one conductor they make the same requests, however
// much their clocks and samples differ. Whatever decided beside the conductor would tell them apart.
#include "measure/conductor.h"

#include <array>

#include <gtest/gtest.h>

#include "measure/closed_loop.h"
#include "measure/deadline.h"
#include "measure/input_effect.h"
#include "measure/measurement.h"
#include "measure/method_rows.h"
#include "measure/turns.h"
#include "testing/conductors.h"
#include "testing/watched_work.h"

namespace strobe {
namespace {

constexpr const char* kQuick = "launch=2us,kernels=10x30us,copy_in=9us,copy_out=5us";
constexpr const char* kSlow = "launch=7us,kernels=10x100us,copy_in=20us,copy_out=4us,noise=0.05,seed=7";

// Requests that each device is asked for: by a run alone, then by the leader's answers on both.
struct Requests {
  std::size_t quick = 0, slow_alone = 0, slow_led = 0;
};

template <class Measure>  // (WatchedWork&, Conductor&)
Requests count(Measure measure) {
  const auto submitted = [&](const char* text, Conductor& conductor) {
    SimulatedDevice device(parse_sim(text));
    WatchedWork work(device);
    measure(work, conductor);
    return work.submitted;
  };
  Leader leader, other;
  Requests r;
  r.quick = submitted(kQuick, leader);
  r.slow_alone = submitted(kSlow, other);
  Follower follower(leader.answers);
  r.slow_led = submitted(kSlow, follower);
  EXPECT_TRUE(follower.left.empty());
  return r;
}

void expect_led(const Requests& r) {
  EXPECT_EQ(r.slow_led, r.quick);
  EXPECT_NE(r.slow_alone, r.quick);  // left alone it does something else, so the test can fail
}

TEST(Conductor, DecidesHowManyRequestsARunMakes) {
  for (const Options& o : {Options{.effort = Effort::quick}, Options{.effort = Effort::quick, .max_time = 3s},
                           Options{.effort = Effort::quick, .max_time = 1s, .graph = true}, Options{.requests = 300},
                           Options{.max_time = 400ms, .warmup = 40, .requests = 300}})
    expect_led(
        count([&](Workload& work, Conductor& conductor) { measure_rounds(work, o, {.conductor = &conductor}); }));
}

TEST(Conductor, DecidesHowLongTurnsAre) {
  expect_led(count([&](Workload& work, Conductor& conductor) {
    const Options o;
    Turns turns(work, o, nullptr, &conductor);
    for (int i = 0; i < 3; ++i) turns.take();
  }));
}

TEST(Conductor, DecidesHowLongAClosedLoopRuns) {
  expect_led(count([&](Workload& work, Conductor& conductor) {
    const std::array<Workload*, 1> one{&work};
    run_closed_loop(one, {.in_flight = 4, .longest = 4s, .margin = 1e-6, .conductor = &conductor});
  }));
}

TEST(Conductor, DecidesWhenRowsOfMethodsEnd) {
  const std::vector<MethodRow> rows = {{kLatencyPass.method, "latency"}, {kSpanPass.method, "span"}};
  expect_led(count([&](Workload& work, Conductor& conductor) {
    Deadline deadline(work.stream().device().clock(), 60ms, conductor);
    time_by_methods(work, {rows, 5, 100, {}, &deadline});
  }));
}

TEST(Conductor, DecidesHowLongInputsAreCompared) {
  expect_led(count([&](Workload& work, Conductor& conductor) { input_effect(work, work, conductor); }));
}

TEST(LocalConductor, GoesByItsOwnClockAndCounts) {
  const Goal goal{.until = 10ns, .least = 2, .most = 5, .deadline = 20ns};
  EXPECT_TRUE(alone.more(goal, {0, 0}, 15ns));
  EXPECT_TRUE(alone.more(goal, {2, 2}, 9ns));
  EXPECT_FALSE(alone.more(goal, {2, 2}, 10ns));
  EXPECT_FALSE(alone.more(goal, {5, 5}, 0ns));
  EXPECT_FALSE(alone.more(goal, {1, 1}, 20ns));
  EXPECT_TRUE(alone.more({.least = 1, .deadline = 20ns, .needs_one = true}, {0, 7}, 25ns));
  EXPECT_FALSE(alone.more({.until = 10ns, .least = 2, .room = 4}, {2, 4}, 5ns));
  EXPECT_TRUE(alone.more({.until = 10ns, .least = 2, .room = 4}, {1, 4}, 5ns));
  EXPECT_TRUE(alone.reached(10ns, 10ns));
  EXPECT_FALSE(alone.reached(10ns, 9ns));
}

}  // namespace
}  // namespace strobe

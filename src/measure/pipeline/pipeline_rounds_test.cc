// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/pipeline_rounds.h"

#include <gtest/gtest.h>

#include "testing/conductors.h"
#include "workload/callable.h"
#include "workload/pipeline/stage_work.h"

namespace strobe {
namespace {

// One stage of kernels on a simulated device.
Pipeline one_stage(const char* device, const char* kernels, bool hidden_sync = false) {
  Pipeline p;
  p.device = std::make_shared<SimulatedDevice>(parse_sim(device));
  p.lanes.push_back({"main", p.device->stream()});
  SimulatedTask task;
  task.work = parse_sim(kernels);
  task.work.hidden_sync = hidden_sync;
  PipelineStage& s = p.stages.emplace_back();
  s.name = "A";
  s.lane = 0;
  s.work = std::make_unique<SimulatedKernels>(task, dynamic_cast<SimulatedDevice&>(*p.device),
                                              dynamic_cast<SimulatedStream&>(*p.lanes[0].stream));
  return p;
}

constexpr const char* kQuiet = "launch=2us,mark=1us,sync=6us";

TEST(PipelineRounds, TakeEveryWayTwiceInEachRound) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 8});
  EXPECT_EQ(m.rounds, 8u);
  EXPECT_EQ(m.status, Status::fixed);
  EXPECT_GE(m.iterations_a_turn, 9u);  // 20 ms of 2 ms iterations
  for (const WayIterations& t : m.ways) EXPECT_EQ(t.iterations.size(), 2 * 8 * m.iterations_a_turn);
  EXPECT_GE(m.warm, 500ms);
}

TEST(PipelineRounds, CountIterationsWhereANumberIsAskedFor) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  const PipelineMeasurement fifty = measure_pipeline(p, {.rounds = 32, .iterations = 50});
  EXPECT_EQ(fifty.iterations_a_turn, 1u);
  EXPECT_EQ(fifty.way(PipelineWay::event).iterations.size(), 64u);
  const PipelineMeasurement many = measure_pipeline(p, {.rounds = 4, .iterations = 10'000});
  EXPECT_LE(many.iterations_a_turn * 2ms, 1s);  // a turn stays within reach of its anchors, so there are more rounds
  EXPECT_GE(many.way(PipelineWay::sync).iterations.size(), 10'000u);
}

TEST(PipelineRounds, RatiosAreThoseOfTheClosedForms) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 6, .iterations = 12});
  // Undisturbed 2 + 2000 + 6 µs; naive the same; sync waits once before and once after; event marks once before.
  for (const double y : log_ratios(m, PipelineWay::naive)) EXPECT_EQ(y, 0);
  for (const double y : log_ratios(m, PipelineWay::sync)) EXPECT_NEAR(y, std::log(2020.0 / 2008.0), 1e-12);
  for (const double y : log_ratios(m, PipelineWay::event)) EXPECT_NEAR(y, std::log(2009.0 / 2008.0), 1e-12);
  EXPECT_EQ(log_ratios(m, PipelineWay::event).size(), 6u);
}

TEST(PipelineRounds, TimeEachStageByItselfBehindAGate) {
  Pipeline p = one_stage(kQuiet, "kernels=100x1us");
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 2});
  ASSERT_EQ(m.work.size(), 1u);
  ASSERT_FALSE(m.work[0].device_time.empty());
  for (const double t : m.work[0].device_time) EXPECT_EQ(t, 100'000);  // 200 µs by any other method: it is launch-bound
}

TEST(PipelineRounds, SayWhyAStageCannotBeHeldBack) {
  Pipeline p = one_stage(kQuiet, "kernels=100x1us", true);
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 2});
  ASSERT_EQ(m.work.size(), 1u);
  EXPECT_TRUE(m.work[0].device_time.empty());
  EXPECT_NE(m.work[0].why_not.find("waits for its own work"), std::string::npos);
}

TEST(PipelineRounds, TellAStageThatFillsTheQueueFromOneThatWaits) {
  Pipeline full = one_stage("queue=1000,sync=6us,mark=1us", "kernels=1200x1us");
  EXPECT_EQ(measure_pipeline(full, {.rounds = 2}).work.at(0).why_not,
            "it launches 1200 kernels, and the device's queue has room for 1000: they cannot all be queued before it "
            "starts");
  Pipeline repeated = one_stage("queue=1000,sync=6us,mark=1us", "kernels=600x1us");
  repeated.stages[0].repeat = 2;
  EXPECT_NE(measure_pipeline(repeated, {.rounds = 2}).work.at(0).why_not.find("it launches 1200 kernels"),
            std::string::npos);
}

TEST(PipelineRounds, EndWhenTheTimeIsUpAndSayHowFarTheyCame) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 1000, .max_time = 1s});
  EXPECT_EQ(m.status, Status::not_converged);
  EXPECT_GT(m.rounds, 2u);
  EXPECT_LT(m.rounds, 100u);
  EXPECT_NE(m.reason.find("of 1000 rounds"), std::string::npos);
}

TEST(PipelineRounds, LeaveTimeForRoundsAfterTheWarmUp) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 1000, .max_time = 400ms});
  EXPECT_GT(m.rounds, 1u);
  EXPECT_LE(m.end, 400ms + 10ms);
}

TEST(PipelineRounds, LeaveAnUnfinishedRoundOutOfTheRatios) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  Clock& clock = p.device->clock();
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 1000, .stop = [&] { return clock.now() > 2s; }});
  EXPECT_EQ(m.status, Status::interrupted);
  EXPECT_EQ(log_ratios(m, PipelineWay::sync).size(), m.rounds);
  EXPECT_GT(m.rounds, 0u);
  EXPECT_TRUE(m.work.empty());
}

TEST(PipelineRounds, AreInterruptedAlsoWhileAStageIsTimedByItself) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  bool stop = false;
  PipelineRule rule{.rounds = 2};
  rule.progress = [&](const Progress& now) { stop = now.phase == "stage 'A' in isolation"; };
  rule.stop = [&] { return stop; };
  const PipelineMeasurement m = measure_pipeline(p, rule);
  EXPECT_TRUE(stop);
  EXPECT_EQ(m.status, Status::interrupted);
  EXPECT_EQ(m.rounds, 2u);
}

TEST(PipelineRounds, KeepWhatTheyHaveWhenAStageThrows) {
  Pipeline p = one_stage(kQuiet, "kernels=100x20us");
  PipelineStage& host = p.stages.emplace_back();
  host.name = "tokenize";
  host.host = true;
  int calls = 0;
  const auto work = [&] {
    if (++calls > 600) throw std::runtime_error("it gave up");
  };
  host.work = std::make_unique<Callable>(work, p.device->stream(), 1);
  const PipelineMeasurement m = measure_pipeline(p, {.rounds = 32});
  EXPECT_EQ(m.status, Status::interrupted);
  EXPECT_EQ(m.reason, "stage 'tokenize' failed: it gave up");
  EXPECT_GT(m.rounds, 0u);
}

// Led by what another one was told it makes as many iterations, although each takes three times as long.
TEST(PipelineRounds, MakeAsManyIterationsAsTheConductorWants) {
  const auto iterations = [](const char* kernels, Conductor& conductor) {
    Pipeline p = one_stage(kQuiet, kernels);
    const PipelineMeasurement m = measure_pipeline(p, {.rounds = 100, .max_time = 1s, .conductor = &conductor});
    std::size_t n = m.warmup_iterations;
    for (const WayIterations& t : m.ways) n += t.iterations.size();
    for (const StageWork& w : m.work) n += w.device_time.size();
    return n;
  };
  Leader leader;
  const std::size_t quick = iterations("kernels=100x3us", leader);
  EXPECT_NE(iterations("kernels=100x10us", alone), quick);
  Follower follower(leader.answers);
  EXPECT_EQ(iterations("kernels=100x10us", follower), quick);
  EXPECT_TRUE(follower.left.empty());
}

}  // namespace
}  // namespace strobe

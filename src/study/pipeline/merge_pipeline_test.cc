// SPDX-License-Identifier: Apache-2.0
// Launches of a simulated pipeline: what they say together, and whether the next one agrees.
#include "study/pipeline/merge_pipeline.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stats/synthetic/acceptance.h"
#include "study/merge_launches.h"
#include "study/pipeline/pipeline.h"

namespace strobe {
namespace {

constexpr std::size_t kLaunches = 8, kRoundsOfEach = 4;
const char* const kScattering = "sim:launch=4us,mark=1us,sync=6us,noise=0.002,launch_noise=0.01";

StagePlan large_stage(const char* what) {
  SimulatedTask task;
  task.work = parse_sim(what);
  return {.name = "large", .task = task, .where = "test:1:1"};
}

// 2 ms of device work beside 0.8 ms on the host.
Record nth_launch(const std::string& device, std::size_t n, std::size_t rounds = kRoundsOfEach) {
  PipelineStudy s;
  s.plan.name = "test";
  s.plan.device = device;
  s.plan.launch = n;
  s.plan.stages = {large_stage("kernels=10x200us"), {.name = "host", .task = SpinTask{800us}, .where = "test:2:1"}};
  s.how.rounds = rounds;
  s.how.iterations = 4 * rounds;
  return study_pipeline(s);
}

std::vector<Record> first_launches(const std::string& device, std::size_t count = kLaunches,
                                   std::size_t rounds = kRoundsOfEach) {
  std::vector<Record> launches;
  for (std::size_t n = 0; n < count; ++n) launches.push_back(nth_launch(device, n, rounds));
  return launches;
}

Record all_of(const std::vector<Record>& launches) {
  return merge_launches(launches, 0.02, merge_pipeline);
}

double undisturbed(const Record& r) {
  return r.find("latency")->estimate.value;
}

const Stage& stage_by_marks(const Record& r) {
  return r.cases.at(3).stages.at(0);
}

bool holds(const Estimate& e, double value) {
  return *e.low <= value && value <= *e.high;
}

constexpr std::size_t kSeededStudies = 200;

std::string seeded(std::size_t seed) {
  return std::string(kScattering) + ",seed=" + std::to_string(seed);
}

TEST(PipelineLaunches, HoldWhatTheNextReadsOfTheIterationAndOfAStage) {
  stats::Rate latency{.what = "a pipeline, 8 launches: the next iteration is inside"},
      reading{.what = "… what marks read of a stage"}, device_time{.what = "… the stage in isolation"};
  const auto next_inside = [](const Record& all, const Record& next, const char* metric) {
    return holds(stage_by_marks(all).metrics.at(metric).estimate,
                 stage_by_marks(next).metrics.at(metric).estimate.value);
  };
  for (std::size_t seed = 1; seed <= kSeededStudies; ++seed) {
    const Record r = all_of(first_launches(seeded(seed))), next = nth_launch(seeded(seed), kLaunches);
    latency.add(holds(r.find("latency")->estimate, undisturbed(next)));
    reading.add(next_inside(r, next, "reading"));
    device_time.add(next_inside(r, next, "device_time"));
  }
  for (const stats::Rate& rate : {latency, reading, device_time}) stats::expect_between(rate, 91, 100);
}

// A microsecond of 2,010, in rounds of which each launch has four.
TEST(PipelineLaunches, BoundWhatMarksCost) {
  stats::Rate inside{.what = "a pipeline, 8 launches: what marks cost is inside"};
  for (std::size_t seed = 1; seed <= kSeededStudies; ++seed)
    inside.add(holds(all_of(first_launches(seeded(seed))).comparisons.at(2).ratio, 1 + 1 / 2010.0));
  stats::expect_coverage(inside);
}

TEST(PipelineLaunches, SayWhetherTheIterationRepeats) {
  const Record scattering = all_of(first_launches("sim:launch=4us,mark=1us,sync=6us,launch_noise=0.03"));
  EXPECT_EQ(scattering.find("latency")->verdict->word, Repeat::varies);
  EXPECT_EQ(scattering.verdict, Verdict::caution);
  const Record steady = all_of(first_launches("sim:launch=4us,mark=1us,sync=6us"));
  EXPECT_EQ(steady.find("latency")->verdict->word, Repeat::repeats);
  EXPECT_EQ(steady.verdict, Verdict::trusted);
}

// The mark before the first launch costs the host a microsecond, whatever a launch draws.
TEST(PipelineLaunches, FindWhatMarksCost) {
  const Record r = all_of(first_launches(kScattering));
  ASSERT_EQ(r.comparisons.size(), 4u);
  EXPECT_EQ(r.comparisons[2].b, "event");
  EXPECT_EQ(r.comparisons[2].pairs, kLaunches);
  EXPECT_EQ(r.rounds, kLaunches * kRoundsOfEach);
  EXPECT_EQ(r.pipeline.marks, "cheap");
  EXPECT_LT(*r.comparisons[2].ratio.low - 1, 1 / 2010.0);
  EXPECT_GT(*r.pipeline.marks_cost_at_most, 1 / 2010.0);
  EXPECT_LT(*r.pipeline.marks_cost_at_most, 0.002);
  EXPECT_EQ(*r.cases[3].difference, *r.pipeline.marks_cost);
  EXPECT_TRUE(r.findings.empty() || r.findings[0].id != "disturbed");
}

TEST(PipelineLaunches, FindMarksThatAreDear) {
  const Record r = all_of(first_launches("sim:launch=4us,mark=60us,mark_gpu=20us,sync=6us,launch_noise=0.003"));
  EXPECT_EQ(r.pipeline.marks, "dear");
  // The first kernel begins after a mark of host and device, 80 µs, instead of 4; the last is followed by another 20.
  EXPECT_NEAR(*r.pipeline.marks_cost, 96.0 / 2010, 0.0005);
  const auto found =
      std::count_if(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.id == "disturbed"; });
  EXPECT_EQ(found, 1);
}

TEST(PipelineLaunches, CannotTellWhatMarksCostFromFewerThanEight) {
  const Record r = all_of(first_launches("sim:launch=4us,mark=1us,sync=6us", 7));
  EXPECT_EQ(r.pipeline.marks, "cannot-tell");
  EXPECT_EQ(r.comparisons[2].needs, 8u);
  EXPECT_NE(
      std::find_if(r.findings.begin(), r.findings.end(),
                   [](const Finding& f) { return f.message.find("7 launches with 28 rounds") != f.message.npos; }),
      r.findings.end());
}

TEST(PipelineLaunches, CannotTellWhatMarksCostFromFewerThan32RoundsTogether) {
  const Record r = all_of(first_launches("sim:launch=4us,mark=1us,sync=6us", kLaunches, 3));
  EXPECT_EQ(r.rounds, 24u);
  EXPECT_TRUE(r.comparisons[2].ratio.bounded());
  EXPECT_EQ(r.pipeline.marks, "cannot-tell");
}

TEST(PipelineLaunches, ShowTheTimeLineAndTheGainsOfATypicalOne) {
  const std::vector<Record> launches = first_launches(kScattering);
  const Record r = all_of(launches);
  std::vector<double> latencies;
  for (const Record& one : launches) latencies.push_back(undisturbed(one));
  std::sort(latencies.begin(), latencies.end());
  const auto typical = std::find_if(launches.begin(), launches.end(), [&](const Record& one) {
    return one.pipeline.timeline_latency_ns == r.pipeline.timeline_latency_ns;
  });
  ASSERT_NE(typical, launches.end());
  EXPECT_GE(undisturbed(*typical), latencies[3]);
  EXPECT_LE(undisturbed(*typical), latencies[4]);
  EXPECT_EQ(r.timeline.size(), typical->timeline.size());
  EXPECT_EQ(r.timeline.back().end_ns, typical->timeline.back().end_ns);
  EXPECT_EQ(r.pipeline.replay_error, typical->pipeline.replay_error);
  EXPECT_EQ(stage_by_marks(r).gain, stage_by_marks(*typical).gain);
  EXPECT_EQ(r.pipeline.idle.at(0).share, typical->pipeline.idle.at(0).share);
}

TEST(PipelineLaunches, SayWhoBoundsAStageWhereAllOfThemAgree) {
  std::vector<Record> launches = first_launches("sim:launch=4us,mark=1us,sync=6us", 3);
  EXPECT_EQ(stage_by_marks(all_of(launches)).bound, "device");
  launches[1].cases.at(3).stages.at(0).bound = "host";
  EXPECT_EQ(stage_by_marks(all_of(launches)).bound, "");
}

TEST(PipelineLaunches, CountIterationsAndReadingsOfAllOfThem) {
  const std::vector<Record> launches = first_launches("sim:launch=4us,mark=1us,sync=6us", 3);
  const Record r = all_of(launches);
  const auto iterations = [](const Record& x) { return x.cases[1].metrics.at("latency").n; };
  EXPECT_EQ(iterations(launches[0]), 16u);
  EXPECT_EQ(iterations(r), 3 * 16u);
  EXPECT_FALSE(r.cases[1].settings.contains("iterations"));
  EXPECT_EQ(stage_by_marks(r).metrics.at("reading").n, 3 * stage_by_marks(launches[0]).metrics.at("reading").n);
  EXPECT_EQ(stage_by_marks(r).metrics.at("waiting").estimate.value, 0);  // it waits for nobody, and that is known
  EXPECT_TRUE(stage_by_marks(r).metrics.at("waiting").known());
}

// The host prepares for 0.8 ms while the device works for 2 on the iteration before.
Record nth_in_flight(const std::string& device, std::size_t n) {
  PipelineStudy s;
  s.plan.name = "test";
  s.plan.device = device;
  s.plan.launch = n;
  s.plan.stages = {{.name = "host", .task = SpinTask{800us}, .where = "test:2:1"}, large_stage("kernels=10x200us")};
  s.how.rounds = 2;
  s.how.iterations = 2;
  s.how.in_flight = 2;
  return study_pipeline(s);
}

TEST(PipelineLaunches, SayWhatIterationsInFlightWin) {
  std::vector<Record> launches;
  for (std::size_t n = 0; n < kLaunches; ++n) launches.push_back(nth_in_flight(kScattering, n));
  const Record r = all_of(launches);
  EXPECT_TRUE(holds(r.find("period")->estimate, nth_in_flight(kScattering, kLaunches).find("period")->estimate.value));
  EXPECT_EQ(r.find("throughput")->verdict->word, r.find("period")->verdict->word);
  const Comparison& c = r.comparisons.back();
  EXPECT_EQ(c.metric, "period");
  EXPECT_EQ(c.pairs, kLaunches);
  EXPECT_TRUE(holds(c.ratio, 2000.0 / 2810)) << *c.ratio.low << " to " << *c.ratio.high;
  EXPECT_EQ(r.pipeline.overlap->bottleneck, "main");
  EXPECT_EQ(r.pipeline.overlap->in_flight, 2u);
}

TEST(PipelineLaunches, SayWhatBoundsIterationsInFlightWhereAllOfThemAgree) {
  std::vector<Record> launches;
  for (std::size_t n = 0; n < 3; ++n) launches.push_back(nth_in_flight("sim:launch=4us,mark=1us,sync=6us", n));
  EXPECT_EQ(all_of(launches).pipeline.overlap->bound, "lane");
  launches[1].pipeline.overlap->bottleneck = "host";
  EXPECT_EQ(all_of(launches).pipeline.overlap->bound, "");
  EXPECT_EQ(all_of(launches).pipeline.overlap->bottleneck, "");
}

TEST(PipelineLaunches, LeaveOutOneThatHadNoTimeForARound) {
  std::vector<Record> launches = first_launches("sim:launch=4us,mark=1us,sync=6us", 3);
  launches[0].comparisons.clear();
  launches[0].rounds = 0;
  const Record r = all_of(launches);
  ASSERT_EQ(r.comparisons.size(), 4u);
  EXPECT_EQ(r.comparisons[0].pairs, 2u);
  EXPECT_EQ(r.rounds, 2 * kRoundsOfEach);
}

}  // namespace
}  // namespace strobe

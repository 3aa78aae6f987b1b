// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <strobe/error.h>
#include <strobe/measure.h>

namespace strobe {
namespace {

StagePlan kernels(const char* name, const char* what, const char* stream = "main") {
  StagePlan s;
  s.name = name;
  s.stream = stream;
  s.where = "test:1:1";
  SimulatedTask task;
  task.work = parse_sim(what);
  s.task = task;
  return s;
}

StagePlan spin(const char* name, nanoseconds length) {
  StagePlan s;
  s.name = name;
  s.where = "test:2:1";
  s.task = SpinTask{length};
  return s;
}

// 2 ms of device work, 0.8 ms on the host, which hides behind it, 0.12 ms of device work.
PipelineStudy study(const char* device) {
  PipelineStudy s;
  s.plan.name = "test";
  s.plan.device = device;
  s.plan.stages = {kernels("large", "kernels=100x20us"), spin("host", 800us), kernels("small", "kernels=60x2us")};
  return s;
}

const Stage& stage(const Record& r, const char* way, std::size_t i) {
  for (const Case& c : r.cases) {
    if (c.name == way) return c.stages.at(i);
  }
  throw std::out_of_range(way);
}

double median(const Stage& s, const char* metric) {
  return s.metrics.at(metric).estimate.value;
}

// Which level a process gets without choosing is drawn once a process: of ten some would be slow.
TEST(StudyPipeline, TakesFastStreamsWhereStreamsHaveLevels) {
  for (std::size_t launch = 0; launch < 10; ++launch) {
    PipelineStudy s = study("sim:launch=1us,pause=10us,slow_streams=1.1@0.5");
    s.plan.launch = launch;
    s.how.rounds = 1;
    const Record r = study_pipeline(s);
    EXPECT_EQ(median(stage(r, "event", 0), "reading"), 3'001'000) << launch;  // a launch, 100 × (20 + 10) µs
    EXPECT_EQ(r.settings.at("stream"), Scalar("fast")) << launch;
  }
}

TEST(StudyPipeline, RecordsItsOptionsAndApartFromThemHowItMeasured) {
  PipelineStudy s = study("sim:launch=4us,mark=1us,sync=6us");
  s.how.rounds = 4;
  s.how.max_time = 100s;
  s.plan.iterations = 16;
  const Record r = study_pipeline(s);
  const Scalars asked{
      {"rounds", std::int64_t{4}}, {"iterations", std::int64_t{16}}, {"max_time_ns", 100e9}, {"device_chosen", false}};
  EXPECT_EQ(r.settings, asked);
  EXPECT_EQ(r.pipeline.iterations_a_turn, 2u);
  EXPECT_EQ(r.rounds, 4u);
}

TEST(StudyPipeline, ReadsEachStageByEachMethodToTheNanosecond) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=1us,sync=6us"));
  EXPECT_EQ(r.verb, "pipeline");
  EXPECT_EQ(r.status, Status::fixed);
  EXPECT_EQ(r.verdict, Verdict::trusted);
  // large ends at 4 + 2000; small needs 120 more, and its last kernel is queued long before.
  EXPECT_EQ(r.find("latency")->estimate.value, 2'004'000 + 120'000 + 6'000);
  EXPECT_EQ(median(stage(r, "naive", 0), "reading"), 400'000);
  EXPECT_EQ(median(stage(r, "sync", 0), "reading"), 2'004'000 + 6'000);
  EXPECT_EQ(median(stage(r, "event", 0), "reading"), 2'004'000);
  EXPECT_EQ(median(stage(r, "event", 0), "device_time"), 2'000'000);
  EXPECT_EQ(median(stage(r, "event", 1), "reading"), 800'000);
  EXPECT_EQ(median(stage(r, "event", 2), "reading"), 120'000);
  EXPECT_EQ(median(stage(r, "event", 2), "submit"), 240'000);
  EXPECT_EQ(median(stage(r, "event", 2), "device_time"), 120'000);
}

TEST(StudyPipeline, SaysHowMuchEachMethodSlowsWhatItMeasures) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=1us,sync=6us"));
  ASSERT_EQ(r.comparisons.size(), 4u);
  EXPECT_EQ(r.comparisons[0].ratio.value, 1);
  EXPECT_EQ(r.comparisons[0].outcome, "equivalent");
  EXPECT_EQ(r.comparisons[1].outcome, "slower");
  EXPECT_EQ(r.comparisons[2].pairs, 32u);
  EXPECT_EQ(r.pipeline.marks, "cheap");
  EXPECT_NEAR(*r.pipeline.marks_cost_at_most, 1.0 / 2130,
              1e-9);  // one microsecond before the first launch
}

TEST(StudyPipeline, SaysSoWhenMarksAreDear) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=60us,mark_gpu=20us,sync=6us"));
  EXPECT_EQ(r.pipeline.marks, "dear");
  EXPECT_TRUE(std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.id == "disturbed"; }));
}

TEST(StudyPipeline, PutsHostAndDeviceOnOneTimeLine) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=1us,sync=6us"));
  EXPECT_EQ(*r.pipeline.timeline_uncertainty_ns, 3'500);
  ASSERT_TRUE(r.find("union_time"));
  EXPECT_NEAR(r.find("union_time")->estimate.value, 2'125'000, 7'000);
  ASSERT_EQ(r.timeline.size(), 5u);
  EXPECT_EQ(r.timeline[0].lane, "host");
  EXPECT_EQ(r.timeline[1].name, "host");
  EXPECT_EQ(r.timeline[1].end_ns - r.timeline[1].begin_ns, 800'000);
  EXPECT_EQ(r.timeline[4].lane, "main");
  EXPECT_EQ(stage(r, "event", 0).bound, "device");
  EXPECT_EQ(stage(r, "event", 2).bound, "host");  // 240 µs to hand over 120 µs of work
  ASSERT_EQ(r.pipeline.idle.size(), 2u);
  EXPECT_EQ(r.pipeline.idle[0].lane, "host");
  EXPECT_NEAR(r.pipeline.idle[0].share, 0.32, 0.01);
  EXPECT_EQ(r.pipeline.idle[0].during, "large on main");
  // Handed over from 1203 to 1443 µs, begun at 2005 µs, when large has ended.
  EXPECT_NEAR(median(stage(r, "event", 2), "waiting"), 562'000, 7'000);
  EXPECT_EQ(median(stage(r, "event", 0), "waiting"), 0);  // it runs before all of it is handed over
}

TEST(StudyPipeline, RefusesATimeLineThatIsTooVague) {
  PipelineStudy s = study("sim:launch=1us,sync=60us");
  s.plan.stages = {kernels("small", "kernels=10x20us")};
  const Record r = study_pipeline(s);  // ±30 µs of 261
  EXPECT_FALSE(r.find("union_time"));
  EXPECT_NE(r.metrics.at("union_time").unknown.find("±"), std::string::npos);
  EXPECT_TRUE(
      std::none_of(r.timeline.begin(), r.timeline.end(), [](const TimelineSpan& t) { return t.lane == "main"; }));
}

TEST(StudyPipeline, KnowsWhatAFasterStageWouldGain) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=1us,sync=6us"));
  EXPECT_LT(std::abs(*r.pipeline.replay_error), 0.01);
  EXPECT_NEAR(stage(r, "event", 0).gain.value(), 0.094, 0.002);
  EXPECT_EQ(stage(r, "event", 1).gain.value(), 0);  // it hides behind the device
  EXPECT_NEAR(stage(r, "event", 2).gain.value(), 0.0056, 0.001);
}

// The truth is at hand: make the stage faster and measure again.
TEST(StudyPipeline, TheGainIsWhatMeasuringAFasterStageShows) {
  const char* device = "sim:launch=4us,mark=1us,sync=6us";
  const Record before = study_pipeline(study(device));
  PipelineStudy faster = study(device);
  faster.plan.stages[0] = kernels("large", "kernels=100x18us");
  const double gained =
      1 - study_pipeline(faster).find("latency")->estimate.value / before.find("latency")->estimate.value;
  EXPECT_NEAR(stage(before, "event", 0).gain.value(), gained, 0.002);
}

TEST(StudyPipeline, NamesAStageThatWaitsInside) {
  PipelineStudy s = study("sim:launch=4us,mark=1us,sync=6us");
  s.plan.stages[0] = kernels("large", "kernels=100x20us,hidden_sync=1");
  const Record r = study_pipeline(s);
  EXPECT_TRUE(
      std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.id == "stage-waits"; }));
  EXPECT_EQ(r.verdict, Verdict::trusted);
}

TEST(StudyPipeline, ShowsWhatAWaitBehindEachStageCosts) {
  const Record r = study_pipeline(study("sim:launch=4us,mark=1us,sync=6us"));
  EXPECT_EQ(r.comparisons[3].b, "event-wait");
  // 1 + 4 + 2000, the wait, 800 on the host, a mark, 242 to hand over 60 kernels and work the last off, a mark and two
  // waits.
  const double latency = 2'005'000 + 6'000 + 800'000 + 1'000 + 242'000 + 12'000;
  EXPECT_NEAR(r.comparisons[3].ratio.value, latency / 2'130'000, 1e-6);
  EXPECT_EQ(r.comparisons[3].outcome, "slower");
  EXPECT_EQ(median(stage(r, "event-wait", 0), "reading"), 2'004'000);
  EXPECT_EQ(median(stage(r, "event-wait", 2), "reading"), 242'000);  // launch-bound: nothing runs before it any more
}

const Case& in_flight(const Record& r, std::int64_t n) {
  for (const Case& c : r.cases) {
    if (const auto it = c.settings.find("in_flight"); it != c.settings.end() && std::get<std::int64_t>(it->second) == n)
      return c;
  }
  throw std::out_of_range("in_flight");
}

// The host prepares, the device works; docs/pipeline.md has the formulas.
PipelineStudy deployed(nanoseconds prepare, std::size_t depth) {
  PipelineStudy s = study("sim:launch=4us,mark=1us,sync=6us");
  s.plan.stages = {spin("prepare", prepare), kernels("infer", "kernels=50x20us")};
  s.how.in_flight = depth;
  return s;
}

TEST(StudyPipeline, SaysWhatIterationsInFlightWinToTheNanosecond) {
  const Record r = study_pipeline(deployed(900us, 2));
  EXPECT_EQ(in_flight(r, 1).metrics.at("period").estimate.value, 1'910'000);
  EXPECT_EQ(in_flight(r, 2).metrics.at("period").estimate.value, 1'101'000);
  EXPECT_EQ(r.find("period")->estimate.value, 1'101'000);
  EXPECT_NEAR(r.find("throughput")->estimate.value, 1e9 / 1'101'000, 1e-6);
  EXPECT_EQ(r.find("latency")->estimate.value, 1'910'000);  // that of an iteration by itself, still
  const Comparison& c = r.comparisons.back();
  EXPECT_EQ(c.metric, "period");
  EXPECT_NEAR(c.ratio.value, 1101.0 / 1910, 1e-9);
  EXPECT_EQ(c.outcome, "faster");
}

TEST(StudyPipeline, NamesTheBottleneckOfIterationsInFlight) {
  const Record by_host = study_pipeline(deployed(900us, 2));
  const OverlapAnswer& host = by_host.pipeline.overlap.value();
  EXPECT_EQ(host.bound, "lane");
  EXPECT_EQ(host.bottleneck, "host");
  ASSERT_EQ(host.lanes.size(), 2u);
  EXPECT_NEAR(host.lanes[0].work, 1100.0 / 1101, 1e-9);
  EXPECT_EQ(host.lanes[0].stage, "prepare");
  EXPECT_NEAR(host.lanes[1].work, 1000.0 / 1101, 1e-9);
  const Record by_device = study_pipeline(deployed(100us, 2));
  EXPECT_EQ(by_device.pipeline.overlap->bottleneck, "main");
  EXPECT_EQ(by_device.find("period")->estimate.value, 1'000'000);
  // A wait so long that two in flight cannot hide it.
  PipelineStudy waiting = deployed(400us, 2);
  waiting.plan.device = "sim:launch=4us,mark=1us,sync=1500us";
  const Record by_depth = study_pipeline(waiting);
  EXPECT_EQ(by_depth.pipeline.overlap->bound, "in-flight");
  EXPECT_EQ(by_depth.pipeline.overlap->bottleneck, "");
  EXPECT_EQ(by_depth.find("period")->estimate.value, (400'000 + 4'000 + 1'000'000 + 1'500'000) / 2.0);
}

TEST(StudyPipeline, ShowsWhichIterationEachLaneWorksOn) {
  const Record r = study_pipeline(deployed(900us, 2));
  const OverlapAnswer& o = r.pipeline.overlap.value();
  EXPECT_NEAR(o.timeline_ns, 3 * 1'101'000, 0.01 * o.timeline_ns);
  bool ahead = false;  // the host prepares one while the device works on the one before
  for (const TimelineSpan& a : o.timeline) {
    for (const TimelineSpan& b : o.timeline)
      ahead |= a.name == "prepare" && b.lane == "main" && *a.iteration == *b.iteration + 1 && a.begin_ns < b.end_ns &&
               b.begin_ns < a.end_ns;
    EXPECT_GE(a.begin_ns, 0);
    EXPECT_LE(a.end_ns, o.timeline_ns);
  }
  EXPECT_TRUE(ahead);
}

TEST(StudyPipeline, KeepsNoIterationsInFlightWithoutAQueue) {
  PipelineStudy s = study("cpu");
  s.plan.stages = {spin("a", 1us)};
  s.how.in_flight = 2;
  try {
    study_pipeline(s);
    FAIL() << "it was measured";
  } catch (const Error& e) {
    EXPECT_EQ(e.thing(), "cannot keep 2 iterations in flight");
    EXPECT_EQ(e.code(), ErrorCode::usage);
  }
}

TEST(StudyPipeline, CopiesOnTheSimulatedDevice) {
  PipelineStudy s = study("sim:launch=4us,copy_in=300us,copy_out=50us,sync=6us");
  StagePlan copy;
  copy.name = "in";
  copy.where = "test:3:1";
  copy.task = CopyTask{CopyTask::Direction::in, {1 << 20}, true};
  s.plan.stages = {copy, kernels("small", "kernels=10x20us")};
  EXPECT_EQ(study_pipeline(s).find("latency")->estimate.value, 300'000 + 200'000 + 6'000);
  std::get<CopyTask>(s.plan.stages[0].task).pinned = false;  // waited for
  EXPECT_EQ(study_pipeline(s).find("latency")->estimate.value, 306'000 + 4'000 + 200'000 + 6'000);
}

TEST(StudyPipeline, DoesNotSayWhoBoundsAStageWhoseWorkIsUnknown) {
  PipelineStudy s = study("sim:launch=4us,copy_in=300us,mark=1us,sync=6us");
  StagePlan copy;
  copy.name = "in";
  copy.where = "test:3:1";
  copy.task = CopyTask{CopyTask::Direction::in, {1 << 20}, true};
  s.plan.stages = {copy, kernels("waits", "kernels=100x20us,hidden_sync=1"), kernels("small", "kernels=60x2us")};
  const Record pinned = study_pipeline(s);
  EXPECT_EQ(stage(pinned, "event", 0).bound, "device");
  EXPECT_EQ(stage(pinned, "event", 1).bound, "");
  EXPECT_EQ(stage(pinned, "event", 2).bound, "host");
  std::get<CopyTask>(s.plan.stages[0].task).pinned = false;
  EXPECT_EQ(stage(study_pipeline(s), "event", 0).bound, "");
}

TEST(StudyPipeline, ErrorsOfAStageNameItAndItsPlace) {
  const auto said = [](PipelineStudy s) -> std::string {
    try {
      study_pipeline(s);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing";
  };
  PipelineStudy s = study("cpu");
  EXPECT_NE(said(s).find("test:1:1: stage 'large': cannot run simulated kernels"), std::string::npos) << said(s);
  s.plan.stages = {spin("a", 1us)};
  s.plan.stages[0].task = FunctionTask{"./none.so", "work"};
  EXPECT_NE(said(s).find("cannot open the library './none.so'"), std::string::npos) << said(s);
  s.plan.stages[0].task = FunctionTask{"libc.so.6", "no_such_symbol"};
  EXPECT_NE(said(s).find("no such symbol"), std::string::npos) << said(s);
  s.plan.stages[0].task = CopyTask{};
  EXPECT_NE(said(s).find("the CPU has one memory"), std::string::npos) << said(s);
  s = study("sim:launch=1us");
  s.plan.stages[2].stream = "host";  // its lane would be the host's
  EXPECT_NE(said(s).find("cannot call a stream 'host'"), std::string::npos) << said(s);
  s = study("sim:launch=1us");
  s.plan.stages[1].task = MemcpyTask{{1024}};
  EXPECT_NE(said(s).find("takes no time"), std::string::npos) << said(s);
}

TEST(Pipeline, TimesStepsOfTheUsers) {
  int f = 0, g = 0;
  const Record r = pipeline({{"f", [&] { ++f; }}, {"g", [&] { ++g; }, true}}, {.rounds = 4, .iterations = 40});
  EXPECT_EQ(r.cases.size(), 4u);
  EXPECT_EQ(f, g);
  EXPECT_GE(f, 160);
  EXPECT_EQ(stage(r, "event", 1).name, "g");
  EXPECT_EQ(r.pipeline.marks, "cannot-tell");  // four rounds
  EXPECT_EQ(r.rounds, 4u);
  EXPECT_EQ(r.find("latency")->verdict->word, Repeat::one_launch);
  for (const TimelineSpan& t : r.timeline) EXPECT_EQ(t.lane, "host");
}

TEST(Pipeline, DoesAStepAsOftenAsItSays) {
  std::size_t f = 0, g = 0;
  const Record r = pipeline({{.name = "f", .run = [&] { ++f; }}, {.name = "g", .run = [&] { ++g; }, .repeat = 3}},
                            {.rounds = 1, .iterations = 8});
  EXPECT_EQ(g - 1, 3 * (f - 1));  // the very first of each is done once, to see whether it works
}

TEST(Pipeline, OfFunctionsCannotBeLaunchedAgain) {
  try {
    pipeline({{"f", [] {}}}, {.rounds = 1, .launches = 8});
    FAIL() << "it was launched";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    EXPECT_EQ(e.thing(), "cannot use the option 'launches' here");
  }
}

TEST(Pipeline, RefusesCountsBeyondReason) {
  const std::vector<PipelineStep> steps{{"f", [] {}}};
  EXPECT_THROW(pipeline(steps, {.rounds = std::size_t{1} << 61}), Error);
  EXPECT_THROW(pipeline(steps, {.rounds = 0}), Error);
  EXPECT_THROW(pipeline(steps, {.rounds = 1, .iterations = std::size_t{1} << 61}), Error);
  EXPECT_THROW(pipeline({{.name = "f", .run = [] {}, .repeat = 0}}, {.rounds = 1}), Error);
  EXPECT_THROW(pipeline({{.name = "f", .run = [] {}, .repeat = 100'001}}, {.rounds = 1}), Error);
}

TEST(Pipeline, RefusesWhatItCannotTellApart) {
  EXPECT_THROW(pipeline({}), Error);
  EXPECT_THROW(pipeline({{"f", {}}}), Error);
  EXPECT_THROW(pipeline({{"f", [] {}}, {"f", [] {}}}), Error);
  EXPECT_THROW(pipeline({{"f", [] {}, false, nullptr, {"g"}}}), Error);
  int stream = 0;
  EXPECT_THROW(pipeline({{"f", [] {}, true, &stream}}), Error);  // which of the two would it be?
}

}  // namespace
}  // namespace strobe

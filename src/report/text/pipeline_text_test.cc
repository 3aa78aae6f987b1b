// SPDX-License-Identifier: Apache-2.0
#include "report/text/pipeline_text.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Metric ns(double value) {
  Metric m;
  m.n = 64;
  m.estimate = {value, value, value, true, {}};
  return m;
}

Record sample() {
  Record r;
  r.verb = "pipeline";
  r.device.asynchronous = true;
  r.window_ns = 5e9;
  r.metrics["latency"] = ns(1e6);
  r.metrics["union_time"] = ns(0.9e6);
  for (const char* name : {"undisturbed", "naive", "sync", "event"}) {
    Case c;
    c.name = name;
    c.metrics["latency"] = ns(1e6);
    c.stages = {{"large", {{"reading", ns(5e5)}}, "zoo:large, batch 32"}, {"cpu", {{"reading", ns(2e5)}}, "spin"}};
    r.cases.push_back(c);
  }
  r.cases[0].stages.clear();
  r.cases[3].stages[0].metrics["submit"] = ns(4e4);
  r.comparisons = {{"undisturbed", "naive", "latency", {1.001, 0.999, 1.003, true, {}}, "equivalent", 32, {}},
                   {"undisturbed", "sync", "latency", {1.2, 1.19, 1.21, true, {}}, "slower", 32, {}},
                   {"undisturbed", "event", "latency", {1.002, 1.0, 1.004, true, {}}, "equivalent", 32, {}}};
  r.timeline = {{"host", "large", 0, 4e4}, {"host", "cpu", 4e4, 2.4e5}, {"main", "large", 1e4, 9e5}};
  r.pipeline = {.marks = "cheap",
                .marks_cost_at_most = 0.004,
                .timeline_latency_ns = 1e6,
                .replay_error = 0.01,
                .idle = {{"main", 0.11, "cpu on host"}}};
  r.cases[3].stages[0].bound = "device";
  r.cases[3].stages[0].gain = 0.089;
  r.cases[3].stages[1].gain = 0.0;
  return r;
}

TEST(PipelineText, SaysWhatEachMethodReadsAndWhatItCosts) {
  const std::string t = pipeline_text(sample());
  for (const char* phrase :
       {"one iteration, undisturbed: 1.00 ms", "large", "500 µs", "device", "sync     +20 %", "it slows the pipeline",
        "marks cost at most 0.4 % (upper 95 % limit, 32 rounds)", "host or device is busy for 900 µs",
        "main idles 11 % of it, most of that during cpu on host", "10 % faster would gain: large 8.9 %"})
    EXPECT_NE(t.find(phrase), std::string::npos) << phrase << " is not in\n" << t;
}

TEST(PipelineText, SaysThatItCannotTellAndWhatIsNotGiven) {
  Record r = sample();
  r.pipeline.marks = "cannot-tell";
  r.pipeline.marks_cost_at_most = 0.023;
  for (Stage& s : r.cases[3].stages) s.gain.reset();
  r.pipeline.replay_error = -0.2;
  r.metrics["union_time"] = {};
  r.metrics["union_time"].unknown = "the clocks are too coarse";
  const std::string t = pipeline_text(r);
  for (const char* phrase :
       {"cannot tell whether marks cost less than 1 %: the upper 95 % limit is 2.3 %",
        "not given: the replayed schedule is −20 % off", "no common time line: the clocks are too coarse"})
    EXPECT_NE(t.find(phrase), std::string::npos) << phrase << " is not in\n" << t;
}

TEST(PipelineText, DoesNotGiveALowLimitAsTheReasonWhyItCannotTell) {
  Record r = sample();
  r.pipeline.marks = "cannot-tell";
  r.pipeline.marks_cost_at_most = 0.0;
  const std::string t = pipeline_text(r);
  EXPECT_NE(t.find("cannot tell whether marks cost less than 1 %: it takes 32 rounds\n"), std::string::npos) << t;
  EXPECT_EQ(t.find("upper 95 % limit"), std::string::npos) << t;
}

Record of_launches(std::size_t n) {
  Record r = sample();
  r.launches.resize(n);
  r.rounds = 4 * n;
  for (Comparison& c : r.comparisons) c.pairs = n;
  r.metrics["latency"].verdict = Standing{Repeat::repeats, 0.003, {}};
  return r;
}

TEST(PipelineText, SaysOfSeveralLaunchesWhetherTheIterationRepeatsAndWhatDecidedAboutMarks) {
  Record r = of_launches(8);
  const std::string t = pipeline_text(r);
  EXPECT_NE(t.find("undisturbed: 1.00 ms  [1.00, 1.00]   repeats ±0.3 %   n 64, 5.00 s window\n"), std::string::npos)
      << t;
  EXPECT_NE(t.find("marks cost at most 0.4 % (upper 95 % limit, 8 launches)"), std::string::npos) << t;
  r.metrics["latency"].verdict = Standing{Repeat::varies, 0.05, "drift"};
  r.findings = {{.id = "drift", .severity = Severity::warning, .evidence = {{"drift", 0.04}}, .metric = "latency"}};
  EXPECT_NE(pipeline_text(r).find("varies ±5.0 %   it drifts"), std::string::npos) << pipeline_text(r);
}

TEST(PipelineText, OfTooFewLaunchesSaysHowManyLaunchesAndRoundsItTakes) {
  Record r = of_launches(3);
  r.pipeline.marks = "cannot-tell";
  r.pipeline.marks_cost_at_most.reset();
  const std::string t = pipeline_text(r);
  EXPECT_NE(t.find("less than 1 %: it takes 8 launches and 32 rounds\n"), std::string::npos) << t;
}

TEST(PipelineText, ShowsADashWhereItIsUnknownWhoBoundsAStage) {
  Record r = sample();
  r.cases[3].stages[0].bound.clear();
  r.cases[3].stages[0].about.clear();
  EXPECT_NE(pipeline_text(r).find("40.0 µs       -      -  -\n"), std::string::npos) << pipeline_text(r);
}

TEST(PipelineText, HasSomethingToSayWithoutAnyFigure) {
  Record r;
  r.verb = "pipeline";
  EXPECT_EQ(pipeline_text(r), "nothing was measured\n\n");
}

}  // namespace
}  // namespace strobe

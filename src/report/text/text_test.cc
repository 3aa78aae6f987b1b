// SPDX-License-Identifier: Apache-2.0
#include "report/text/text.h"

#include <gtest/gtest.h>

#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

Record sample_record() {
  Record r;
  r.verb = "run";
  r.model.name = "resnet18.onnx";
  r.model.runtime = "onnxruntime";
  r.model.runtime_version = "1.31.1";
  r.model.inputs = {{"x", "f32", {1, 3, 224, 224}, "random"}};
  r.device = {"cuda:0", "NVIDIA H200", true, {}, {}};
  r.settings["device_chosen"] = true;
  r.window_ns = 5.1e9;
  r.startup.warmup_requests = 38;
  Metric m;
  m.n = 2140;
  m.estimate = {1.87e6, 1.86e6, 1.88e6, true, {}};
  m.percentiles = {{0.9, Estimate{1.92e6, 1.91e6, 1.93e6, true, {}}, {}}, {0.999, {}, 3688}};
  r.metrics["latency"] = m;
  m.estimate = {0.52e6, 0.52e6, 0.52e6, true, {}};
  r.metrics["device_time"] = m;
  m.unit = "items/s";
  m.estimate = {541, 538, 544, true, {}};
  r.metrics["throughput"] = m;
  r.metrics["replay_time"].unknown = "the runtime cannot capture";
  return r;
}

TEST(Text, AlignsFiguresAndSaysWhatTheyAreMeasuredOn) {
  EXPECT_EQ(text(sample_record()),
            "resnet18.onnx  batch 1 · 3×224×224 · f32 · onnxruntime 1.31.1 · cuda:0 NVIDIA H200 (auto) · one launch\n"
            "latency      1.87 ms  [1.86, 1.88]\n"
            "device time   520 µs  [520, 520]\n"
            "replay time  unknown: the runtime cannot capture\n"
            "throughput    541 /s  [538, 544]\n"
            "verdict      trusted: ±0.5 %: nothing was seen that could move it further\n"
            "percentiles  p90 1.92 ms [1.91, 1.93]   p99.9 needs 3,688 requests\n"
            "requests     2,140 counted in 5.10 s, after 38 of warm-up\n");
}

Record with_input_sets(Scalar asked, std::uint64_t sets, std::uint64_t bytes) {
  Record r = sample_record();
  r.settings["cache"] = std::string("hot");
  r.settings["input_sets"] = std::move(asked);
  r.device.facts["l2_bytes"] = std::int64_t{1'000'000};
  r.observations.input_sets = sets;
  r.observations.input_bytes = bytes;
  return r;
}

TEST(Text, SaysHowManyInputSetsThereAreWhereTheyWereAskedForAndWhereTheyAre) {
  const std::string cache = "cache";
  EXPECT_TRUE(has(text(with_input_sets(std::int64_t{1}, 1, 400'000)), "(auto) · 1 input set hot in L2 ·"));
  EXPECT_TRUE(has(text(with_input_sets(std::int64_t{4}, 4, 1'600'000)), "(auto) · 4 input sets ·"));
  EXPECT_TRUE(has(text(with_input_sets(std::int64_t{5}, 5, 2'000'000)), "(auto) · 5 input sets beyond L2 ·"));
  EXPECT_TRUE(has(text(with_input_sets(cache, 5, 2'000'000)), "(auto) · 5 input sets beyond L2 ·"));
  Record cold = with_input_sets(std::int64_t{1}, 1, 400'000);
  cold.settings["cache"] = std::string("cold");
  EXPECT_TRUE(has(text(cold), "(auto) · 1 input set ·"));
}

TEST(Text, SaysWhatWasAskedForWhereTheInputSetsOfSeveralResultsDiffer) {
  Record r = with_input_sets(std::string("cache"), 0, 0);
  r.observations.input_sets.reset();
  r.observations.input_bytes.reset();
  EXPECT_TRUE(has(text(r), "(auto) · inputs beyond L2 ·"));
  r.settings["input_sets"] = std::int64_t{7};
  EXPECT_TRUE(has(text(r), "(auto) · 7 input sets ·"));
}

TEST(Text, SaysOfTheCpusCacheOnlyWhereInputSetsWereAskedFor) {
  Record r = with_input_sets(std::int64_t{8}, 8, 900'000);
  r.device.kind = "cpu";
  r.device.facts.clear();
  r.host["cache_bytes"] = std::int64_t{1'000'000};
  EXPECT_TRUE(has(text(r), "8 input sets hot in the cache"));
  r.settings.erase("input_sets");
  EXPECT_FALSE(has(text(r), "hot in"));
}

TEST(Text, SaysThatTheInputsAreHotWhereTheyFitIntoTheCache) {
  Record r = sample_record();
  const auto says = [&] { return has(text(r), "NVIDIA H200 (auto) · inputs hot in L2 · one launch\n"); };
  r.settings["cache"] = std::string("hot");
  r.device.facts["l2_bytes"] = std::int64_t{60} << 20;
  EXPECT_FALSE(says());  // nobody knows
  r.observations.input_bytes = std::uint64_t{60} << 20;
  EXPECT_TRUE(says());
  r.settings["cache"] = std::string("cold");
  EXPECT_FALSE(says());
  r.settings["cache"] = std::string("hot");
  r.observations.input_bytes = (std::uint64_t{60} << 20) + 1;
  EXPECT_FALSE(says());
}

TEST(Text, GivesTheNumbersThatTutorialsPrint) {
  Record r = sample_record();
  Metric& m = r.metrics["latency"];
  m.min = 1.8e6;
  m.mean = Estimate{1.9e6, 1.89e6, 1.91e6, true, {}};
  m.stddev = 0.05e6;
  m.max = 2.5e6;
  Metric period;
  period.estimate.value = 1e9 / 541;  // one item a request
  r.metrics["period"] = period;
  r.startup.load_ns = 0.21e9;
  r.startup.first_ns = 61e6;
  const std::string t = text(r);
  EXPECT_TRUE(has(t, "spread       min 1.80 ms   mean 1.90 ms   σ 50.0 µs   max 2.50 ms\n")) << t;
  EXPECT_TRUE(has(t, "startup      load 210 ms   first request 61.0 ms\n")) << t;
  EXPECT_TRUE(has(t, "541 /s  [538, 544]     535 /s one at a time (1 / latency)\n")) << t;
}

TEST(Text, SaysInTheHeadLineThatFloat32MayBeComputedInTF32) {
  Record r = sample_record();
  r.model.facts["tf32"] = true;
  EXPECT_TRUE(has(text(r), "· f32 (TF32 allowed) ·")) << text(r);
  r.model.facts["math"] = std::string("bfloat16");
  EXPECT_TRUE(has(text(r), "· f32 (computed in bfloat16) ·")) << text(r);
}

TEST(Text, SaysOnHowManyThreadsTheCpuRanEvenIfNobodyAskedForANumber) {
  Record r = sample_record();
  r.device = {"cpu", "cpu", false, {}, {}};
  r.model.facts["threads"] = std::int64_t{2};
  EXPECT_TRUE(has(text(r), "· cpu (auto) · 2 threads · one launch\n")) << text(r);
  r.settings["threads"] = std::int64_t{1};
  EXPECT_TRUE(has(text(r), "· cpu (auto) · 1 thread · one launch\n")) << text(r);
}

TEST(Text, ShowsFindingsUnderTheVerdict) {
  Record r = sample_record();
  r.verdict = Verdict::caution;
  r.findings = {{"drift", About::measurement, Severity::warning, "it drifts by 3 %", "Wait.", {}},
                {"host-bound", About::workload, Severity::note, "the device idles", "Use a graph.", {}}};
  const std::string t = text(r);
  EXPECT_TRUE(has(t, "verdict      caution: ")) << t;
  EXPECT_TRUE(has(t, "\nwarning      drift: it drifts by 3 %. Wait.\n")) << t;
  EXPECT_TRUE(has(t, "\nadvice       host-bound: the device idles. Use a graph.\n")) << t;
}

TEST(Text, GivesFindingsOfOneCauseOneLineAndNotesNoneUntilAskedToBeVerbose) {
  Record r = sample_record();
  r.verdict = Verdict::caution;
  r.findings = {{"noisy-host", About::machine, Severity::warning, "the canary varies by 9 %", "Stop it.", {}},
                {"preempted", About::machine, Severity::warning, "it left its CPU", "Stop that.", {}},
                {"outliers", About::measurement, Severity::note, "3 stand out", "Read the median.", {}}};
  const std::string t = text(r);
  EXPECT_TRUE(has(t, "Also: ")) << t;
  EXPECT_FALSE(has(t, "3 stand out")) << t;
  EXPECT_TRUE(has(t, "note         outliers (--verbose)\n")) << t;
  const std::string all = render_text(r, {.verbose = true});
  for (const Finding& f : r.findings) EXPECT_TRUE(has(all, f.message + ". " + f.advice)) << all;
}

TEST(Text, HoldsCopiesAgainstTheMachinesBestAndEndToEnd) {
  Record r = sample_record();
  Metric m;
  m.estimate = {20e3, 20e3, 20e3, true, {}};
  r.metrics["copy_in"] = m;
  m.estimate = {100e3, 100e3, 100e3, true, {}};
  r.metrics["copy_in_pageable"] = m;
  m.estimate = {2e6, 2e6, 2e6, true, {}};
  r.metrics["end_to_end"] = m;
  r.observations.copied_in_bytes = 1'000'000;
  r.device.calibration["copy_in_gbps"] = 55;
  const std::string t = text(r);
  EXPECT_NE(t.find("50 GB/s (91 % of this machine's 55), 1.0 % of end to end\n"), std::string::npos) << t;
  EXPECT_NE(t.find("10 GB/s (18 % of this machine's 55)\n"), std::string::npos) << t;
  r.settings["io"] = std::string("runtime");  // then end to end has copies of the runtime's own
  EXPECT_EQ(text(r).find("of end to end"), std::string::npos) << text(r);
}

TEST(Text, SaysWhatAComparisonThatCannotTellWouldNeed) {
  Record r = sample_compare();
  EXPECT_NE(text(r).find("cannot tell (needs about 900 rounds)"), std::string::npos) << text(r);
  r.settings["stored"] = true;
  EXPECT_NE(text(r).find("cannot tell (needs about 900 launches)"), std::string::npos) << text(r);
}

TEST(Text, BeginsAComparisonWithWhatWasComparedAndTheAnswer) {
  Record r = sample_compare();
  for (Case& c : r.cases) {
    c.model = ModelInfo{};
    c.model->name = c.name;
    c.model->runtime = "onnxruntime";
    c.model->runtime_version = "1.31.1";
    c.device = DeviceInfo{};
    c.device->kind = "cpu";
  }
  r.cases[1].settings["threads"] = std::int64_t{2};
  r.fail_on = {{"slower=2%", "b.onnx", "latency", "failed", "latency is 1.3 times that of a.onnx"}};
  const std::string t = text(r);
  EXPECT_EQ(t.find("a.onnx  onnxruntime 1.31.1 · cpu\nb.onnx  onnxruntime 1.31.1 · cpu · 2 threads\n"), 0u) << t;
  EXPECT_NE(t.find("\nb.onnx takes 0.75× as long as a.onnx [0.74, 0.76]: faster\n"), std::string::npos) << t;
  EXPECT_NE(t.find("\nfail-on      slower=2%: failed by b.onnx: latency is"), std::string::npos) << t;
}

TEST(Text, NamesTheModelOnceWhereOnlyAnOptionVaries) {
  Record r = sample_compare();
  for (Case& c : r.cases) {
    c.model = ModelInfo{};
    c.model->name = "net.onnx";
  }
  r.cases[0].name = "graph=off";
  r.cases[1].name = "graph=on";
  EXPECT_EQ(text(r).find("net.onnx  "), 0u) << text(r);
  EXPECT_EQ(text(r).find("net.onnx", 1), std::string::npos) << text(r);
}

TEST(Text, UsesColourOnlyWhenAskedTo) {
  EXPECT_EQ(text(sample_record()).find('\x1b'), std::string::npos);
  EXPECT_NE(render_text(sample_record(), {.color = true}).find('\x1b'), std::string::npos);
}

TEST(Text, ExplainsEachFigure) {
  EXPECT_NE(render_text(sample_record(), {.explain = true}).find("what a caller waits for"), std::string::npos);
}

TEST(Text, NamesIntegerInputsThatAreRandomAndTheOptionThatChangesThem) {
  Record r;
  r.model.name = "loop.onnx";
  r.model.inputs = {
      {"x", "f32", {8}, "random"}, {"steps", "i64", {}, "random"}, {"ids", "i32", {8}, "random [0, 100)"}};
  const std::string t = render_text(r, {});
  EXPECT_NE(t.find("\ninput        'steps' (i64) is 0 or 1 at random"), std::string::npos) << t;
  EXPECT_NE(t.find("--input-range steps=0..1000"), std::string::npos) << t;
  EXPECT_EQ(t.find("'ids'"), std::string::npos) << t;
  EXPECT_EQ(t.find("'x'"), std::string::npos) << t;
}

TEST(TextOfMethods, BeginsWithHowManyAreOff) {
  Record r = sample_cold_methods();
  EXPECT_TRUE(
      has(text(r), "\n2 of 3 timing methods for this model are off by more than 5 %; 1 more cannot be judged here\n"))
      << text(r);
  r.cases[0].difference = -0.01;
  EXPECT_TRUE(has(text(r), "\n1 of 3 timing methods for this model is off by more than 5 %")) << text(r);
  r.cases[3].difference = 0.01;
  EXPECT_TRUE(has(text(r), "\nNone of 3 timing methods for this model is off by more than 5 %")) << text(r);
}

TEST(TextOfMethods, ShowsTheMeanWhereTheErrorIsThatOfTheMean) {
  const std::string shown = text(sample_cold_methods());
  EXPECT_TRUE(has(shown, "2.52 ms  (mean)")) << shown;
  EXPECT_FALSE(has(shown, "2.50 ms")) << "the median has another error";
}

TEST(Text, HoldsTheWorkOfARequestAgainstTheDevicesBest) {
  Record r = sample_record();  // 520 µs of device time
  r.observations.work = WorkObservation{20, 0, 0, 3.6e9, 52e6, {}};
  EXPECT_TRUE(has(text(r), "work         3.6 GFLOP, 6.92 TFLOP/s; at least 52 MB, 100 GB/s\n")) << text(r);
  r.device.calibration = {{"gemm_tflops", 50}, {"copy_gbps", 4000}};
  EXPECT_TRUE(has(text(r), "6.92 TFLOP/s (14 % of this device's 50)")) << text(r);
  EXPECT_TRUE(has(text(r), "100 GB/s (2.5 % of this device's 4000)")) << text(r);
}

TEST(Text, HoldsCopiesOutAgainstTheirOwnBytesAndTheirOwnBest) {
  Record r = sample_record();
  r.metrics["copy_out"] = sample_metric(10e3);
  r.observations.copied_in_bytes = 1'000'000;
  r.observations.copied_out_bytes = 200'000;
  r.device.calibration = {{"copy_in_gbps", 55}, {"copy_out_gbps", 40}};
  EXPECT_TRUE(has(text(r), "20 GB/s (50 % of this machine's 40)")) << text(r);
}

TEST(Text, SaysWhetherEachFigureOfSeveralLaunchesRepeats) {
  Record r = sample_launches();
  r.findings = {{.id = "host-bound", .about = About::workload, .message = "it idles"}};
  r.metrics["latency"].verdict = Standing{Repeat::varies, 0.3, "host-bound"};
  r.metrics["device_time"].verdict = Standing{Repeat::repeats, 0.003, ""};
  const std::string t = text(r);
  EXPECT_TRUE(has(t, "varies ±30 %     set by the host")) << t;
  EXPECT_TRUE(has(t, "repeats ±0.3 %\n")) << t;
  EXPECT_TRUE(has(t, "; the next run's number lies inside its interval in 95 % of cases")) << t;
}

TEST(Text, SaysOfLoadsInOneProcessThatProcessesAreNotInTheInterval) {
  Record r = sample_launches();
  r.one_process = true;
  r.duration_ns = 7.1e9;
  r.metrics["latency"].verdict = Standing{Repeat::varies_over_loads, 0.03, {}};
  r.metrics["latency"].levels = {{376e3, 3, ""}, {388e3, 1, ""}};
  r.metrics["latency"].launch_spread = 0.013;
  const std::string t = render_text(r, {.explain = true});
  EXPECT_TRUE(has(t, " · 4 loads in one process\n")) << t;
  EXPECT_TRUE(has(t, "varies over loads ±3.0 %   two levels: 376 µs (3 of 4 loads), 388 µs (1 of 4)")) << t;
  EXPECT_TRUE(
      has(t, "loads        4 in one process in 7.10 s; what differs between processes is not in the interval\n"))
      << t;
  EXPECT_TRUE(has(t, "loads 1.3 %; within a load at most")) << t;
  for (const char* other : {"launches", "next run", "one launch"}) EXPECT_FALSE(has(t, other)) << t;
}

TEST(Text, ExplainsWhereTheUncertaintyOfSeveralLaunchesComesFrom) {
  Record r = sample_launches();
  r.launches.back().metrics["only_there"] = sample_metric(1e6);  // the first launch did not have it
  const std::string t = render_text(r, {.explain = true});
  EXPECT_TRUE(has(t,
                  "uncertainty (σ of the next launch): requests 0.09 %, rounds 0.1 %, launches 2.7 %; within a launch "
                  "at most ±1.0 %"))
      << t;
}

TEST(Text, SaysOfEachMetricItsOwnCause) {
  Record r = sample_launches();
  r.findings = {{.id = "drift", .message = "x", .evidence = {{"drift", 0.2}}, .metric = "latency"},
                {.id = "drift", .message = "x", .evidence = {{"drift", 0.03}}, .metric = "device_time"}};
  r.metrics["device_time"].verdict = Standing{Repeat::varies, 0.05, "drift"};
  EXPECT_TRUE(has(text(r), "it drifts by 3.0 %")) << text(r);
}

TEST(Text, NamesTheLevelsThatLaunchesAreOn) {
  Record r = sample_launches();
  r.metrics["device_time"] = sample_metric(376e3);
  r.metrics["device_time"].levels = {{376e3, 3, ""}, {388e3, 2, ""}};
  EXPECT_TRUE(has(text(r), "two levels: 376 µs (3 of 5 launches), 388 µs (2 of 5)")) << text(r);
}

TEST(Text, SaysWhatCannotBeSeenByTheFurtherEndOfTheNoiseFloor) {
  Record r = sample_compare();
  r.comparisons.push_back({"a.onnx", "a.onnx again", "latency", {1, 0.97, 1.01, true, {}}, "cannot-tell", 40, {}});
  r.comparisons.back().noise_floor = true;
  EXPECT_TRUE(has(text(r), "a difference under 3.0 % cannot be seen here")) << text(r);
  r.comparisons.back().ratio = {1, 0.99, 1.04, true, {}};
  EXPECT_TRUE(has(text(r), "a difference under 4.0 % cannot be seen here")) << text(r);
}

}  // namespace
}  // namespace strobe

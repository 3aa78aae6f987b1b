#include "report/text.h"

#include <gtest/gtest.h>

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
  m.median = {1.87e6, 1.86e6, 1.88e6, true, {}};
  m.percentiles = {{0.9, Estimate{1.92e6, 1.91e6, 1.93e6, true, {}}, {}}, {0.999, {}, 3688}};
  r.metrics["latency"] = m;
  m.median = {0.52e6, 0.52e6, 0.52e6, true, {}};
  r.metrics["device_time"] = m;
  m.unit = "items/s";
  m.median = {541, 538, 544, true, {}};
  r.metrics["throughput"] = m;
  r.metrics["replay_time"].unknown = "the runtime cannot capture";
  return r;
}

TEST(Text, AlignsFiguresAndSaysWhatTheyAreMeasuredOn) {
  EXPECT_EQ(text(sample_record()),
            "resnet18.onnx  batch 1 · 3×224×224 · onnxruntime 1.31.1 · cuda:0 NVIDIA H200 (auto)\n"
            "latency      1.87 ms  [1.86, 1.88]   p90 1.92 ms [1.91, 1.93]   p99.9 needs 3,688 requests   n 2,140   "
            "5.10 s window, steady after 38\n"
            "device time   520 µs  [520, 520]\n"
            "replay time  unknown: the runtime cannot capture\n"
            "throughput    541 /s  [538, 544]\n"
            "verdict      trusted\n");
}

TEST(Text, ShowsFindingsUnderTheVerdict) {
  Record r = sample_record();
  r.verdict = Verdict::caution;
  r.findings = {{"drift", About::measurement, Severity::warning, "it drifts by 3 %", "Wait.", {}},
                {"host-bound", About::workload, Severity::note, "the device idles", "Use a graph.", {}}};
  const std::string t = text(r);
  EXPECT_NE(t.find("verdict      caution\nwarning      drift: it drifts by 3 %. Wait.\nadvice       host-bound: the "
                   "device idles. Use a graph.\n"),
            std::string::npos)
      << t;
}

TEST(Text, HoldsCopiesAgainstTheMachinesBestAndEndToEnd) {
  Record r = sample_record();
  Metric m;
  m.median = {20e3, 20e3, 20e3, true, {}};
  r.metrics["copy_in"] = m;
  m.median = {100e3, 100e3, 100e3, true, {}};
  r.metrics["copy_in_pageable"] = m;
  m.median = {2e6, 2e6, 2e6, true, {}};
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

TEST(Text, UsesColourOnlyWhenAskedTo) {
  EXPECT_EQ(text(sample_record()).find('\x1b'), std::string::npos);
  EXPECT_NE(render_text(sample_record(), {.color = true}).find('\x1b'), std::string::npos);
}

TEST(Text, ExplainsEachFigure) {
  EXPECT_NE(render_text(sample_record(), {.explain = true}).find("what a caller waits for"), std::string::npos);
}

}  // namespace
}  // namespace strobe

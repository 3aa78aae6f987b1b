// SPDX-License-Identifier: Apache-2.0
// Records that strobe/1 wrote on a real machine, and what they say to this version.
#include "record/old_records.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <strobe/error.h>
#include <strobe/record.h>

#include "record/scalars.h"

namespace strobe {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Record old_record(const std::string& verb) {
  return parse_record(content_of(STROBE_SOURCE "/tests/records/strobe-1-" + verb + ".json"));
}

TEST(OldRecords, KeepWhatASearchFound) {
  const Record r = old_record("throughput");
  EXPECT_EQ(r.answer.bound_point, "batch 64");
  EXPECT_EQ(r.answer.memory_limit_bytes, 149557477376u);
  EXPECT_NEAR(r.find("throughput")->estimate.value, 6669.3, 0.1);
  EXPECT_NEAR(r.find("throughput")->estimate.high.value_or(0), 6680.7, 0.1);
  const Case& first = r.cases.at(0);
  EXPECT_EQ(first.trial.bound, "met");
  EXPECT_EQ(first.trial.late_share, 0);
  EXPECT_EQ(first.trial.first_ns, 497677305);
  EXPECT_EQ(first.trial.memory_available, 149557477376u);
  EXPECT_EQ(first.metrics.at("memory").estimate.value, 251658240);
  EXPECT_EQ(first.metrics.at("latency_loaded").estimate.value, 1914613);
}

TEST(OldRecords, KeepWhatAPipelineMeans) {
  const Record r = old_record("pipeline");
  EXPECT_EQ(r.pipeline.marks, "cheap");
  EXPECT_NEAR(r.pipeline.marks_cost_at_most.value_or(0), 0.0055, 0.0001);
  EXPECT_EQ(r.pipeline.timeline_latency_ns, 41422469);
  EXPECT_EQ(r.pipeline.iterations_a_turn, 1u);
  ASSERT_EQ(r.pipeline.idle.size(), 2u);
  EXPECT_EQ(r.pipeline.idle[0].lane, "host");
  EXPECT_EQ(r.pipeline.idle[0].during, "");
  EXPECT_NEAR(r.pipeline.idle[1].share, 0.8828, 0.0001);
  EXPECT_EQ(r.pipeline.idle[1].during, "noise on host");
  const std::vector<Stage>& stages = r.cases.at(3).stages;
  EXPECT_EQ(stages.at(0).name, "large");
  EXPECT_EQ(stages[0].bound, "device");
  EXPECT_NEAR(stages[0].gain.value_or(0), 0.0042, 0.0001);
  EXPECT_EQ(stages.at(1).bound, "host");
  EXPECT_EQ(r.cases[3].metrics.at("latency").n, 192u);
  EXPECT_EQ(r.cases[3].settings, (Scalars{{"clock", std::string("device")}, {"wait", std::string("none")}}));
  EXPECT_EQ(r.answer, SearchAnswer{});
  EXPECT_EQ(fact<std::int64_t>(r.settings, "rounds"), 96);  // that were asked for
}

TEST(OldRecords, KeepWhatAMachineIs) {
  const Record r = old_record("doctor");
  ASSERT_EQ(r.cases.size(), 4u);
  EXPECT_FALSE(r.cases[0].version.empty());
  EXPECT_FALSE(r.cases[0].device);
  const Case& gpu = r.cases[1];
  EXPECT_EQ(gpu.version, "NVIDIA H200");
  EXPECT_TRUE(gpu.settings.empty());
  ASSERT_TRUE(gpu.device);
  EXPECT_EQ(gpu.device->name, "NVIDIA H200");
  EXPECT_EQ(fact<std::string>(gpu.device->facts, "compute_capability"), "9.0");
  EXPECT_EQ(gpu.device->calibration.at("mark_ns"), 1187);
}

TEST(OldRecords, KeepWhatWasChecked) {
  const Record r = old_record("selftest");
  EXPECT_EQ(r.cases.at(1).check.expected, "200 µs");
  EXPECT_EQ(r.cases[1].check.got, "4.94 µs");
  EXPECT_EQ(r.cases[1].check.truth_ns, 200'000);
  EXPECT_TRUE(r.cases[1].settings.empty());
}

TEST(OldRecords, KeepWhyAnAnswerIsMissing) {
  const Record r = parse_record(R"({"schema": "strobe/1", "verb": "run", "settings": {"rounds": 3}, "answer":
      {"failed": true, "undecided": "one batch", "unwritten": "disk full", "noise_floor": 0.01, "new_input_ratio": 2}})");
  EXPECT_TRUE(r.failed);
  EXPECT_EQ(r.undecided, "one batch");
  EXPECT_EQ(r.unwritten, "disk full");
  EXPECT_EQ(r.noise_floor, 0.01);
  EXPECT_EQ(r.observations.new_input_ratio, 2);
  EXPECT_EQ(r.answer, SearchAnswer{});
  EXPECT_EQ(fact<std::int64_t>(r.settings, "rounds"), 3);
}

TEST(OldRecords, OfAComparisonSayHowManyRoundsWereCompleted) {
  const Record r = parse_record(R"({"schema": "strobe/1", "verb": "compare", "settings": {"rounds": 12, "loads": 4}})");
  EXPECT_EQ(r.rounds, 12u);
  EXPECT_FALSE(r.settings.contains("rounds"));
}

TEST(OldRecords, DoNotSayHowManyLaunchesWereAskedFor) {
  const char* const text = R"({{"schema": "{}", "verb": "run", "settings": {{"launches": 3}}}})";
  EXPECT_FALSE(parse_record(fmt::format(fmt::runtime(text), "strobe/1")).settings.contains("launches"));
  EXPECT_TRUE(parse_record(fmt::format(fmt::runtime(text), "strobe/2")).settings.contains("launches"));
}

TEST(OldRecords, LoseTheResultsAmongTheirSettingsToFields) {
  const Record methods = parse_record(R"({"schema": "strobe/2", "verb": "methods",
      "settings": {"block": 15, "host_numa_node": 1, "seed": 7},
      "cases": [{"name": "sync", "settings": {"claims": "latency", "clock": "host"}}]})");
  EXPECT_EQ(methods.observations.requests_per_block, 15u);
  EXPECT_EQ(methods.observations.host_numa_node, 1);
  EXPECT_EQ(methods.settings, (Scalars{{"seed", std::int64_t{7}}}));
  EXPECT_EQ(methods.cases.at(0).claims, "latency");
  EXPECT_EQ(methods.cases[0].settings, (Scalars{{"clock", std::string("host")}}));
  const Record compared = parse_record(R"({"schema": "strobe/2", "verb": "compare",
      "cases": [{"name": "a.json", "settings": {"started_at": "2026-01-02T03:04:05Z", "launches": 5}}]})");
  const Record pipeline = parse_record(R"({"schema": "strobe/2", "verb": "pipeline", "settings": {"iterations": 9},
      "cases": [{"name": "naive", "settings": {"iterations": 12, "wait": "none"}},
                {"name": "iterations=20", "settings": {"iterations": "20"}}]})");
  EXPECT_EQ(fact<std::int64_t>(pipeline.settings, "iterations"), 9);  // that were asked for
  EXPECT_EQ(pipeline.cases.at(0).settings, (Scalars{{"wait", std::string("none")}}));
  EXPECT_EQ(pipeline.cases.at(1).settings, (Scalars{{"iterations", std::string("20")}})) << "a point of a sweep";
  EXPECT_EQ(compared.cases.at(0).started_at, "2026-01-02T03:04:05Z");
  EXPECT_EQ(compared.cases[0].launches, 5u);
  EXPECT_TRUE(compared.cases[0].settings.empty());
}

TEST(OldRecords, SayHowManyKernelsARequestHas) {
  for (const char* schema : {"strobe/1", "strobe/2"}) {
    const std::string text =
        fmt::format(R"({{"schema": "{}", "verb": "run", "observations": {{"launches_per_request": 60}}}})", schema);
    EXPECT_EQ(parse_record(text).observations.kernels_per_request, 60.0) << schema;
  }
  const Record kept = parse_record(content_of(STROBE_SOURCE "/docs/results/h200/quick-resnet18-b1-onnxruntime.json"));
  EXPECT_GT(kept.observations.kernels_per_request.value_or(0), 10);
}

TEST(OldRecords, AreTheSameAfterTheyWereWrittenAnew) {
  for (const char* verb : {"throughput", "pipeline", "doctor", "selftest"}) {
    const std::string anew = json(old_record(verb));
    EXPECT_NE(anew.find(R"("schema": "strobe/2")"), std::string::npos);
    EXPECT_EQ(json(parse_record(anew)), anew) << verb;
  }
}

// A record that somebody else broke is refused or read, and never ends the program.
TEST(OldRecords, WithUnexpectedTypesDoNoHarm) {
  for (const char* part :
       {R"("settings": 3)", R"("answer": [])", R"("cases": [3, {"settings": 3}, {"stages": [1, {"name": 2}]}])",
        R"("metrics": {"throughput": 3})", R"("metrics": {"memory": {"median": 3}})", R"("observations": 3)"}) {
    for (const char* verb : {"doctor", "selftest", "pipeline", "compare", "throughput"}) {
      const std::string text = std::string(R"({"schema": "strobe/1", "verb": ")") + verb +
                               R"(", "answer": {"new_input_ratio": 1}, )" + part + "}";
      try {
        parse_record(text);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::bad_input) << text;
      }
    }
  }
}

TEST(OldRecords, OfTheDocumentsAreAllRead) {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(STROBE_SOURCE "/docs/results")) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = content_of(entry.path());
    if (text.find("\"schema\": \"strobe/") == std::string::npos) continue;  // of another tool
    EXPECT_NO_THROW(parse_record(text)) << entry.path();
    ++read;
  }
  EXPECT_GT(read, 30u);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "record/answer_scalars.h"
#include "record/printable_record.h"
#include "record/scalars.h"

namespace strobe {
namespace {

// Every field that can be written is set to something that is not its default.
Record full_record() {
  Record r;
  r.verb = "run";
  r.strobe = {"0.1.0", "abc", "Release", "GNU 12"};
  r.command = {"strobe", "run", "a.onnx"};
  r.started_at = "2026-01-02T03:04:05Z";
  r.duration_ns = 5e9;
  r.status = Status::not_converged;
  r.status_reason = "drift";
  r.host = {{"cpu", std::string("x")}, {"cores", std::int64_t{2}}, {"steal", 0.25}, {"container", true}};
  r.device = {"simulated", "sim", true, {{"seed", std::int64_t{7}}}, {{"mark_ns", 1.5}}};
  r.model = {"a.onnx",
             "a",
             "00ff",
             "onnxruntime",
             "1.31.1",
             {{"x", "f32", {1, 3}, "random"}},
             {{"y", "f32", {1}, ""}},
             12u,
             {{"threads", std::int64_t{1}}},
             {{"a.data", "ff00"}}};
  r.settings = {{"effort", std::string("quick")}};
  r.startup = {1.0, 2.0, 3.0, 4u};
  r.window_ns = 4e9;
  Metric m;
  m.n = 10;
  m.n_eff = 9.5;
  m.estimate = {1.5, 1.0, std::nullopt, false, "drift"};
  m.mean = Estimate{1.6, 1.1, 2.0, true, ""};
  m.stddev = 0.5;
  m.min = 1;
  m.max = 2;
  m.outliers = {3, 0.1, 0.2, 9.5};
  m.percentiles = {{0.9, Estimate{1.9, 1.8, 2.0, true, ""}, std::nullopt}, {0.999, std::nullopt, 3688u}};
  m.facts.warmup_end_seconds = 0.5;
  m.facts.warmup_state = "flat";
  m.facts.warmup_bias = 0.125;
  m.facts.drift = 0.01;
  m.facts.drift_per_minute = 0.1;
  m.facts.drifting = true;
  m.facts.shifts = {{2.5, 1.1}};
  m.facts.regime_switching = true;
  m.facts.modes = {{1.0, 0.7}, {2.0, 0.3}};
  m.facts.modes_ordered = true;
  m.facts.lag1 = 0.3;
  m.facts.tick = 32;
  m.facts.rounds = 12;
  m.facts.request_spread = 0.02;
  m.facts.round_spread = 0.004;
  m.facts.n_eff_tau = 2.5;
  m.facts.coupling = 1.02;
  m.facts.coupled = true;
  m.curve = {{0.5, 1, 1.5, 2, 5}};
  m.histogram = {{0, 1, 2}, {4, 6}};
  r.metrics["latency"] = m;
  r.metrics["throughput"].unit = "items/s";
  r.metrics["throughput"].estimate = {541, 538, std::nullopt, false, "one stretch"};
  r.metrics["device_time"].unknown = "the workload synchronises";
  r.observations.gate = GateObservation{true, "x", 2};
  r.observations.outputs = OutputObservation{false, false, false, 0.5, "y", false, 0.25, true};
  r.observations.escaped_ns = 5;
  r.observations.allocations_per_request = 1.5;
  r.observations.kernels_per_request = 20;
  r.observations.fallback_nodes = 3;
  r.observations.work = WorkObservation{120, 3, 2, 3.6e9, 4.7e7, {"TopK"}};
  r.observations.input_sets = 2;
  r.observations.input_bytes = 1'204'224;
  r.observations.copied_in_bytes = 602112;
  r.observations.copied_out_bytes = 4000;
  r.observations.input_zero_share = 0.25;
  r.observations.input_repeated_share = 0.75;
  r.observations.input_subnormal_share = 0.5;
  r.observations.input_not_finite_share = 0.125;
  r.observations.other_input_ratio = 1.5;
  r.observations.new_input_ratio = 1.25;
  r.observations.clocks_per_pass = {{"latency", 1.98e9}};
  r.observations.disturbances = Disturbances{2e9, 2, {"libx.so"}, 0.01, 3, 5, 4, 1e6, 2e6};
  r.observations.cpus = CpuObservation{{5}, 3, {{"latency", {4, 5}}}};
  r.observations.stream = {1600, "slow", 1470, 1590, 9, 11};
  r.observations.other_devices = {"cuda:1"};
  r.telemetry = {{0.1, 0.2}, {{"steal", {0, 0.5}}}, {{"hz", std::int64_t{10}}}};
  r.cases = {{"naive",
              {{"clock", std::string("host")}},
              {{"reading", m}},
              {},
              "",
              "misses the work",
              -0.5,
              "out-of-memory",
              {{"large", {{"reading", m}}, "waits", "host", 0.125}},
              {1e6, "met", 0.25, 100, 1u << 20, 1u << 30, "no room"}}};
  r.cases[0].check = {"1 ms", "2 ms", 1e6};
  r.cases[0].version = "1.31.1";
  r.cases[0].claims = "latency";
  r.cases[0].statistic = "mean";
  r.cases[0].group = "listing";
  r.cases[0].prints = "0.602 ms";
  r.cases[0].queue = FullQueue{14, 10.5, 630e3, 2450e3};
  r.cases[0].started_at = "2026-01-02T03:04:05Z";
  r.cases[0].launches = 5;
  r.observations.host_numa_node = 1;
  r.observations.requests_per_block = 15;
  r.observations.timeline_uncertainty_ns = 2500;
  r.comparisons = {{"a", "b", "latency", {0.98, 0.97, 0.99, true, ""}, "faster", 32, 64u, 0.99}};
  r.comparisons[0].noise_floor = true;
  r.cases[0].model = r.model;
  r.cases[0].device = r.device;
  r.fail_on = {{"p99=5%", "b", "latency", "cannot-tell", "p99 needs 400 requests"}};
  r.launches = {{"launch 1", {}, {{"latency", m}}, {}, "", "", {}}};
  r.one_process = true;
  r.timeline = {{"host", "large", 1, 2.5}};
  r.idle = {{1e7, true, {{"latency", m}}, 0.375, {345, 8, 800.5}, {1980, 0, 3600.25}}};
  r.cases[0].idle = r.idle;
  r.answer = {.best_batch = 16,
              .fastest_batch = 32,
              .batch_trials = 9,
              .wave = 64,
              .most_items_per_second = 5000.5,
              .half_rate_batch = 3.5,
              .fixed_batch = "it has one",
              .fastest = "batch 16, 2 streams",
              .streams = 2,
              .in_flight = 4,
              .memory_limit_bytes = 1u << 30,
              .largest_batch = 512,
              .largest_state = "confirmed",
              .predicted_largest = 600,
              .fails_at = 640,
              .fails_because = "out-of-memory",
              .reserve_bytes = 1 << 20,
              .bound = "met",
              .bound_point = "batch 8",
              .bound_batch = 8,
              .bound_undecided = "batch 12",
              .bound_undecided_rate = 1234.5,
              .bound_needs = 900,
              .bound_stopped_by = "batch 64: crashed"};
  r.pipeline = {"cheap", 0.001, 0.004, 1e6, 3500, 0.01, {{"host", 0.25, "large on main"}}, 5, {}};
  r.pipeline.overlap = {2, "lane", "main", {{"main", 0.98, 0.99, "large"}}, {{"main", "large", 1, 2.5, 3}}, 3e6};
  r.profile = {
      .requests = 60,
      .profiler = "somebody's",
      .slowdown = Estimate{1.02, 1.01, 1.03},
      .layers = {{"conv1", "Conv", "CPU", 1, 3, 0.5, {5e5, 4e5, 6e5}, {5e5, 5.1e5}}},
      .why_no_layers = "none",
      .unattributed = 0.01,
      .outside = 0.02,
      .kernels = {{"gemm", 3, 0.9, {4e5, 3e5, 5e5}}},
      .activity =
          ActivityShares{{0.4, 0.3, 0.5}, {0.3, 0.2, 0.4}, {0.2}, {0.1}, {0.1}, {0.2}, {0.3}, {0.4}, {1}, {0.05}, {42}},
      .why_no_trace = "no tracer",
      .trace = TraceQuality{"a tracer", "another", 1000, 3, 2, 450, 1200, 690, 1, "number 3 is b instead of a"},
      .threads_busy = 1.5,
      .differences = {{"conv1", "Conv", 5e5, 6e5, Estimate{1.2, 1.1, 1.3}, "slower"}}};
  r.energy = {"NVML", "the whole board", {{2, 5.1e9, 3400.5, 4250.25}}, 80.5, 81.5, 1e8, 2.4e6, 0.001, 2.8e10};
  r.memory = {.requests = 250,
              .places = {{"process",
                          "resident",
                          5e6,
                          {{"load", 1, 2e9, 3, {2e8, 1e8, 3e8}, {1e8}}},
                          MemoryGrowth{{1e6, 9e5, 2e6}, 50, "grows"},
                          {{1e6, 1.5e8}}}},
              .parts = {{"unexplained", {4e6, 3e6, 5e6}}},
              .allocator = MemoryAllocator{"an arena", {1e6}, {2e6}, {3e6}, 0.5},
              .why_no_allocator = "none",
              .recorded = 12,
              .events = {{5e6, -1024, "load", "weights", "conv1"}},
              .peak_causes = {{"weights", {7e6}}},
              .recorder = "somebody",
              .why_no_events = "nobody",
              .fit = MemoryFit{1u << 30, -5e6, "does-not-fit", 100}};
  r.rounds = 32;
  r.noise_floor = 0.0115;
  r.failed = true;
  r.undecided = "only one batch ran";
  r.unwritten = "cannot write";
  r.findings = {{"drift", About::measurement, Severity::warning, "it drifts", "wait", {{"drift", 0.01}}}};
  r.verdict = Verdict::caution;
  return r;
}

TEST(Fact, TakesAWholeNumberForANumber) {
  Record r;
  r.settings = {{"late_share", 0.0}, {"streams", std::int64_t{2}}, {"word", std::string("x")}};
  const Record back = parse_record(json(r));
  EXPECT_EQ(fact<double>(back.settings, "late_share"), 0.0);
  EXPECT_EQ(fact<double>(back.settings, "streams"), 2.0);
  EXPECT_FALSE(fact<double>(back.settings, "word"));
  EXPECT_FALSE(fact<double>(back.settings, "nothing"));
}

TEST(RecordJson, KeepsEveryPartOfAnAnswer) {
  const Record r = full_record();
  EXPECT_EQ(parse_record(json(r)).answer, r.answer);
  EXPECT_EQ(scalars_of(r.answer).size(), 24u);
  EXPECT_EQ(fact<double>(scalars_of(r.answer), "half_rate_batch"), 3.5);
  EXPECT_TRUE(scalars_of({}).empty());
}

TEST(RecordJson, ComesBackUnchangedWithEveryFieldSet) {
  const std::string once = json(full_record());
  EXPECT_EQ(json(parse_record(once)), once);
  // The round trip above would also hold for a field that neither side knows: count what was written.
  EXPECT_GT(once.size(), 3000u);
  for (const char* key : {"coupled",
                          "needs",
                          "regime_switching",
                          "fallback_nodes",
                          "clocks_per_pass",
                          "difference",
                          "evidence",
                          "columns",
                          "why_not",
                          "outcome",
                          "stages",
                          "comparisons",
                          "pairs",
                          "launches",
                          "timeline",
                          "idle",
                          "pstate",
                          "answer",
                          "late_difference",
                          "may_vary",
                          "input_subnormal_share",
                          "throttled_ns",
                          "libraries",
                          "other_devices",
                          "fail_on",
                          "percentile",
                          "condition",
                          "files",
                          "trial",
                          "check",
                          "pipeline",
                          "noise_floor",
                          "undecided",
                          "claims",
                          "host_numa_node",
                          "requests_per_block",
                          "wave",
                          "bound_needs",
                          "iterations_a_turn",
                          "one_process",
                          "cpus",
                          "pinned",
                          "moves",
                          "statistic",
                          "prints",
                          "idle_before_w",
                          "joules"}) {
    EXPECT_NE(once.find('"' + std::string(key) + '"'), std::string::npos) << key;
  }
}

// Appends what a terminal would obey to every text but the words of closed lists, and to every name that is free.
nlohmann::json forged(const nlohmann::json& j, bool free_names = false) {
  static const std::set<std::string> kWords{"strobe/2", "not-converged", "measurement", "warning", "caution"};
  static const std::set<std::string> kMaps{"host",     "facts",   "calibration",     "settings", "metrics",
                                           "evidence", "columns", "clocks_per_pass", "passes"};
  if (j.is_string()) return kWords.contains(j) ? j : nlohmann::json(j.get<std::string>() + "\n\x1b[31m");
  if (j.is_array()) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& x : j) list.push_back(forged(x));
    return list;
  }
  if (!j.is_object()) return j;
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [key, value] : j.items()) {
    const bool map = kMaps.contains(key) && !value.contains("tick");  // facts of a metric have fixed names
    object[free_names ? key + "\x1b" : key] = forged(value, map && !free_names);
  }
  return object;
}

TEST(PrintableRecord, HasNoTextThatATerminalWouldObey) {
  const Record record = parse_record(forged(nlohmann::json::parse(json(full_record()))).dump());
  ASSERT_EQ(record.cases.at(0).about, "misses the work\n\x1b[31m");
  ASSERT_TRUE(record.cases.at(0).stages.at(0).metrics.contains("reading\x1b"));
  const std::string mended = json(printable(record));
  for (const char* control : {"\\u001b", "\\n"}) {
    for (std::size_t at = mended.find(control); at != std::string::npos; at = mended.find(control, at + 1)) {
      // A backslash before it is what made it visible.
      EXPECT_EQ(mended[at - 1], '\\') << mended.substr(at - std::min<std::size_t>(at, 200), 300);
    }
  }
  EXPECT_NE(mended.find("misses the work\\\\n\\\\x1b[31m"), std::string::npos);
}

TEST(PrintableRecord, IsTheSameRecordWhereNothingHadToBeMended) {
  EXPECT_EQ(json(printable(full_record())), json(full_record()));
}

TEST(RecordJson, IgnoresUnknownFields) {
  auto j = nlohmann::json::parse(json(full_record()));
  j["later"] = {{"x", 1}};
  j["metrics"]["latency"]["later"] = "y";
  EXPECT_EQ(json(parse_record(j.dump())), json(full_record()));
}

TEST(RecordJson, HasAMedianOnlyOfWhatIsSampled) {
  const auto metrics = nlohmann::json::parse(json(full_record())).at("metrics");
  EXPECT_EQ(metrics.at("latency").at("median").at("value"), 1.5);
  EXPECT_FALSE(metrics.at("latency").contains("value"));
  EXPECT_EQ(metrics.at("throughput").at("value"), 541);
  EXPECT_EQ(metrics.at("throughput").at("low"), 538);
  EXPECT_TRUE(metrics.at("throughput").at("high").is_null());
  EXPECT_EQ(metrics.at("throughput").at("why"), "one stretch");
  EXPECT_FALSE(metrics.at("throughput").contains("median"));
}

TEST(RecordJson, RefusesAVersionFromBeforeTheFirst) {
  try {
    parse_record(R"({"schema": "strobe/0"})");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "cannot read the record: its schema is strobe/0, the oldest that this program reads is strobe/1. "
                 "Measure again, or use the strobe that wrote it.");
  }
}

TEST(RecordJson, RefusesANewerMajorVersion) {
  auto j = nlohmann::json::parse(json(full_record()));
  j["schema"] = "strobe/3";
  try {
    parse_record(j.dump());
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "cannot read the record: its schema is strobe/3, this program knows strobe/2. Use a newer strobe.");
  }
}

TEST(RecordJson, NamesTheFieldThatHasTheWrongType) {
  auto j = nlohmann::json::parse(json(full_record()));
  j["metrics"]["latency"]["median"]["value"] = "fast";
  try {
    parse_record(j.dump());
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "cannot read the record: the field 'metrics.latency.median.value' has the wrong type");
  }
}

TEST(RecordJson, RefusesWhatIsNoRecord) {
  for (const char* text :
       {"", "{", "[]", "3", "{}", "{\"schema\": 3}", "{\"schema\": \"nvbench/1\"}",
        "{\"schema\":\"strobe/2\",\"findings\":{}}", "{\"schema\":\"strobe/2\",\"status\":\"odd\"}"}) {
    EXPECT_THROW(parse_record(text), Error) << text;
  }
}

TEST(RecordJson, NeverWritesNaNOrInfinity) {
  Record r = full_record();
  r.metrics["latency"].max = std::numeric_limits<double>::infinity();
  EXPECT_THROW(json(r), Error);
  r = full_record();
  r.host["load"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(json(r), Error);
}

TEST(RecordJson, ReplacesTextThatIsNotUtf8) {
  Record r = full_record();
  r.model.path = "bad\xff.onnx";
  EXPECT_NE(parse_record(json(r)).model.path.find("bad"), std::string::npos);
}

TEST(RecordJson, KeepsTheDistributionOfAMetricThatWasOnceZero) {
  Record r;
  Metric& waiting = r.metrics["waiting"];
  waiting.n = 3;
  waiting.max = 5e3;  // the smallest is 0: the device began at once
  waiting.histogram = {{0, 5e3}, {3}};
  const Record back = parse_record(json(r));
  EXPECT_EQ(back.metrics.at("waiting").max, 5e3);
  EXPECT_EQ(back.metrics.at("waiting").histogram.counts, waiting.histogram.counts);
}

TEST(RecordJson, TakesAFindingThatDoesNotSayHowSevereItIsForANote) {
  const Record r = parse_record(R"({"schema": "strobe/2", "findings": [{"id": "drift"}]})");
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].severity, Severity::note);
  EXPECT_EQ(r.findings[0].about, About::measurement);
}

}  // namespace
}  // namespace strobe

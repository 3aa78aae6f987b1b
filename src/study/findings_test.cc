// SPDX-License-Identifier: Apache-2.0
// Every detector against the simulated device: a case that triggers it, and a near one that must not.
#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "report/method_errors.h"
#include "study/methods.h"
#include "study/run.h"
#include "study/selftest/simulated_launches.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

using std::chrono::seconds;

struct Pair {
  const char* id;
  const char* fires;
  const char* near;
  Severity over_launches = Severity::note;  // of the case that fires, five times: see Traits::of_interval for the notes
  Options options = {.effort = Effort::quick};
};

const Pair kPairs[] = {
    {"one-sample",
     "launch=4us,kernels=40x30us",
     "launch=4us,kernels=40x30us,noise=0.01",
     Severity::invalid,
     {.requests = 1}},
    {"too-few-samples", "launch=4us,kernels=40x30us,noise=0.01", "", Severity::note, {.requests = 19}},
    {"not-converged", "kernels=1x1ms,noise=0.5", "kernels=1x1ms,noise=0.01", Severity::note, {.requests = 40}},
    {"no-warm-up",
     "kernels=1x1ms,warm=1.5:60,noise=0.005",
     "kernels=1x1ms,warm=1.002:60,noise=0.005",
     Severity::note,
     {.warmup = 0, .requests = 300}},
    {"drift",
     "kernels=1x1ms,drift=0.01,noise=0.005",
     "kernels=1x1ms,drift=0.0002,noise=0.005",
     Severity::warning,
     {.min_time = seconds(5)}},
    {"level-shift",
     "kernels=1x1ms,shift=1.1@7s,noise=0.005",
     "kernels=1x1ms,shift=1.01@7s,noise=0.005",
     Severity::warning,
     {.min_time = seconds(10), .max_time = seconds(10)}},
    {"bimodal", "kernels=1x1ms,modes=1.08@0.3:4,noise=0.005", "kernels=1x1ms,modes=1.008@0.3:4,noise=0.005",
     Severity::warning},
    {"outliers", "kernels=1x1ms,outliers=0.03:5,noise=0.01", "kernels=1x1ms,outliers=0.001:5,noise=0.01"},
    {"autocorrelated", "kernels=1x1ms,noise=0.02,ar=0.8", "kernels=1x1ms,noise=0.02,ar=0.1"},
    {"timer-resolution", "launch=1us,kernels=1x8us,tick=512ns", "launch=1us,kernels=1x80us,tick=512ns",
     Severity::warning},
    {"marks-cost", "launch=1us,kernels=4x10us,mark_gpu=3us,noise=0.01",
     "launch=1us,kernels=4x100us,mark_gpu=3us,noise=0.01", Severity::warning},
    {"work-escaped", "launch=4us,kernels=40x30us,escape=2ms", "launch=4us,kernels=40x30us,escape=1ms",
     Severity::invalid},
    {"gate-unsafe", "launch=4us,kernels=40x30us,hidden_sync=1", "launch=4us,kernels=40x30us"},
    {"gate-leak", "launch=30us,kernels=40x30us,leak=2ms,noise=0.01", "launch=30us,kernels=40x30us,leak=1ms,noise=0.01",
     Severity::warning},
    {"slow-stream", "launch=1us,kernels=40x2us,pause=1.5us,slow_streams=1.08@0.999",
     "launch=1us,kernels=40x2us,pause=1.5us,slow_streams=1.08@0.001"},
    {"slow-after-pause",
     "launch=4us,kernels=40x30us,sleep_after=5ms,wake=300us",
     "launch=4us,kernels=40x30us,sleep_after=15ms,wake=300us",
     Severity::note,
     {.effort = Effort::quick, .idle = {{std::chrono::milliseconds(10)}}}},
    {"energy-windows",
     "kernels=1x1ms,idle_power=80W,active_power=600W,energy_step=100ms,energy_read=60ms",
     "kernels=1x1ms,idle_power=80W,active_power=600W,energy_step=100ms,energy_read=2.4ms",
     Severity::warning,
     {.effort = Effort::quick, .launches = 1, .energy = true}},
    {"host-bound", "launch=5us,kernels=20x1us", "launch=1us,kernels=20x25us"},
};

RunOptions simulated_model(const std::string& parameters, Options options) {
  RunOptions o;
  o.open.model = "sim:" + parameters;
  o.measure = std::move(options);
  return o;
}

Record run_simulated(const std::string& parameters, Options options) {
  return run(simulated_model(parameters, std::move(options)));
}

bool has(const std::vector<Finding>& findings, std::string_view id) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
}

// Names the case in test lists; by default they would show its bytes.
void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.id;
}

class Detectors : public testing::TestWithParam<Pair> {};

TEST_P(Detectors, FireOnTheirCase) {
  const Record r = run_simulated(GetParam().fires, GetParam().options);
  ASSERT_TRUE(has(r.findings, GetParam().id)) << text(r);
}

TEST_P(Detectors, AreSilentOnTheNearOne) {
  Options o = GetParam().options;
  if (o.requests == 1) o.requests = 30;
  if (o.requests == 19) o.requests = 20;
  const char* near = *GetParam().near ? GetParam().near : GetParam().fires;
  const Record r = run_simulated(near, o);
  ASSERT_FALSE(has(r.findings, GetParam().id)) << text(r);
}

// The gravest comes first.
TEST_P(Detectors, AreHeardOverFiveLaunches) {
  const Record r = simulated_launches(simulated_model(GetParam().fires, GetParam().options));
  const auto it =
      std::find_if(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.id == GetParam().id; });
  ASSERT_NE(it, r.findings.end()) << text(r);
  EXPECT_EQ(it->severity, GetParam().over_launches) << text(r);
}

INSTANTIATE_TEST_SUITE_P(All, Detectors, testing::ValuesIn(kPairs), [](const auto& one) {
  std::string name = one.param.id;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

std::vector<std::string> metrics_with(const Record& r, std::string_view id) {
  std::vector<std::string> names;
  for (const Finding& f : r.findings) {
    if (f.id == id) names.push_back(f.metric);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(TimeDetectors, FindADriftInEveryMetricThatHasIt) {
  const Record r = run_simulated("launch=4us,kernels=1x1ms,drift=0.01,noise=0.005", {.min_time = seconds(5)});
  EXPECT_EQ(metrics_with(r, "drift"), (std::vector<std::string>{"device_time", "latency"})) << json(r);
}

Record methods_of(const char* parameters) {
  MethodsPlan o;
  o.open.model = std::string("sim:") + parameters;
  return compare_methods(o);
}

const Case& row(const Record& r, std::string_view name) {
  return *std::find_if(r.cases.begin(), r.cases.end(), [&](const Case& c) { return c.name == name; });
}

TEST(CaseDetectors, CallAnUnsynchronizedReadingWrongWhereItMissesWork) {
  const Record device_bound = methods_of("launch=1us,kernels=20x5us"),
               host_bound = methods_of("launch=5us,kernels=20x1us");
  EXPECT_TRUE(has(row(device_bound, "naive").findings, "unsynchronized"));
  EXPECT_FALSE(has(row(host_bound, "naive").findings, "unsynchronized"));  // 100 of 101 µs: nearly right, by luck
  EXPECT_FALSE(has(row(device_bound, "sync").findings, "unsynchronized"));
}

TEST(CaseDetectors, SayAfterHowManyRequestsAHostThatNeverWaitsHasFilledTheQueue) {
  MethodsPlan o;
  o.requests = 100;
  const auto naive = [&](const char* model) {
    o.open.model = model;
    return row(compare_methods(o), "naive");
  };
  const Case full = naive("sim:launch=1us,kernels=20x5us,queue=200"), deep = naive("sim:launch=1us,kernels=20x5us"),
             host_bound = naive("sim:launch=5us,kernels=20x1us,queue=21");
  const auto found =
      std::find_if(full.findings.begin(), full.findings.end(), [](const Finding& f) { return f.id == "queue-full"; });
  ASSERT_NE(found, full.findings.end());
  EXPECT_EQ(found->message,
            "the queue was full after 12 requests, about 10 of them in flight: then the host waits for the device, and "
            "submitting takes 100 µs instead of 20.0 µs");
  EXPECT_FALSE(has(deep.findings, "queue-full"));
  EXPECT_FALSE(has(host_bound.findings, "queue-full"));
}

TEST(CaseDetectors, DoNotTakeAnotherSlownessForAFullQueue) {
  Record r = methods_of("launch=1us,kernels=20x5us");
  Case& naive = *std::find_if(r.cases.begin(), r.cases.end(), [](const Case& c) { return c.name == "naive"; });
  naive.queue = FullQueue{.after = 4, .in_flight = 3, .free_ns = 20e3, .full_ns = 100e3};
  judge(r);
  EXPECT_TRUE(has(row(r, "naive").findings, "queue-full"));
  naive.queue->full_ns = 60e3;  // the device's pace is 100 µs
  judge(r);
  EXPECT_FALSE(has(row(r, "naive").findings, "queue-full"));
}

TEST(CaseDetectors, SayWhatTheFirstRequestsDidToTheMean) {
  const Record cold = methods_of("launch=5us,kernels=20x1us,first=9ms"), warm = methods_of("launch=5us,kernels=20x1us");
  EXPECT_TRUE(has(row(cold, "host, stream, no warm-up").findings, "no-warm-up"));
  EXPECT_FALSE(has(row(cold, "host, stream").findings, "no-warm-up"));
  EXPECT_FALSE(has(row(warm, "host, stream, no warm-up").findings, "no-warm-up"));
}

TEST(CaseDetectors, FindCopiesInsideTheTiming) {
  EXPECT_TRUE(
      has(row(methods_of("launch=1us,kernels=20x5us,copy_in=50us"), "sync-copies").findings, "copy-inside-timing"));
  EXPECT_FALSE(
      has(row(methods_of("launch=1us,kernels=20x5us,copy_in=100ns"), "sync-copies").findings, "copy-inside-timing"));
}

TEST(CaseDetectors, ExplainWhatEventsCount) {
  EXPECT_TRUE(has(row(methods_of("launch=5us,kernels=20x1us"), "event").findings, "host-bound"));
  EXPECT_FALSE(has(row(methods_of("launch=1us,kernels=20x100us"), "event").findings, "host-bound"));
}

TEST(Methods, ShowEveryNamedMethodTheMatrixAndTheInvalidRow) {
  const Record r = methods_of("launch=5us,kernels=20x1us,copy_in=1us");
  EXPECT_EQ(r.cases.size(), 10u + 1u + 24u);
  EXPECT_EQ(row(r, "device, no wait, read at once").error, "the device has not reached the mark yet");
  EXPECT_NEAR(*row(r, "event").difference, 4.05, 1e-9);
  EXPECT_NEAR(*row(r, "gated").difference, 0, 1e-9);
}

TEST(Methods, ShowWhatTheCacheDoesWhereASimulatedDeviceHasOne) {
  const char* machine = "launch=1us,kernels=20x5us,sync=6us,cache=5MB,input=1MB,miss=30us";
  const Record hot = methods_of(machine);
  EXPECT_EQ(hot.cases.size(), 15u + 24u);
  EXPECT_EQ(row(hot, "gated-cold").metrics.at("reading").estimate.value, 130'000);
  EXPECT_EQ(row(hot, "sync-cold").metrics.at("reading").estimate.value, 137'000);
  EXPECT_EQ(*row(hot, "gated-same").difference, 0);
  EXPECT_EQ(hot.observations.input_bytes, 2'000'000u);
  MethodsPlan o;
  o.open.model = std::string("sim:") + machine;
  o.open.input_sets = 6;
  const Record rotating = compare_methods(o);
  EXPECT_EQ(row(rotating, "gated-cold").difference, 0);
  EXPECT_EQ(row(rotating, "gated-same").metrics.at("reading").estimate.value, 100'000);
  EXPECT_NEAR(*row(rotating, "sync-same").difference, 107.0 / 137 - 1, 1e-9);
}

// After a row that flushed the cache, each of these sets is a miss once more.
TEST(Methods, AreNotReadBeforeAllInputsAreInTheCacheAgain) {
  MethodsPlan o;
  o.open.model = "sim:launch=1us,kernels=20x5us,cache=50MB,input=1MB,miss=30us";
  o.open.input_sets = 40;
  const Record r = compare_methods(o);
  for (const auto& [name, hot] : {std::pair("host, stream", 101'000), {"gated-same", 100'000}, {"sync", 101'000}}) {
    const Metric& m = row(r, name).metrics.at("reading");
    EXPECT_EQ(m.min, hot) << name;
    EXPECT_EQ(m.max, hot) << name;
  }
}

TEST(CaseDetectors, SayWhatTheCacheAndOneInputAloneDo) {
  const Record small = methods_of("launch=1us,kernels=20x5us,cache=5MB,input=1MB,miss=30us"),
               near = methods_of("launch=1us,kernels=20x5us,cache=5MB,input=1MB,miss=2us");
  EXPECT_TRUE(has(row(small, "gated-cold").findings, "cache-hot"));
  EXPECT_NE(row(small, "gated-cold").findings.front().advice.find("--input-sets cache"), std::string::npos);
  EXPECT_FALSE(has(row(near, "gated-cold").findings, "cache-hot"));  // 2 %
  EXPECT_FALSE(has(row(small, "gated-same").findings, "same-input"));
  const Record beyond = methods_of("launch=1us,kernels=20x5us,cache=1MB,input=1MB,miss=30us");
  EXPECT_TRUE(has(row(beyond, "gated-same").findings, "same-input"));
}

TEST(Methods, TrustNoReferenceWhoseWorkEscapes) {
  const Record escapes = methods_of("launch=4us,kernels=40x30us,escape=2ms"),
               stays = methods_of("launch=4us,kernels=40x30us");
  EXPECT_TRUE(has(escapes.findings, "work-escaped"));
  EXPECT_EQ(escapes.verdict, Verdict::invalid);
  EXPECT_FALSE(has(stays.findings, "work-escaped"));
  EXPECT_TRUE(stays.observations.outputs);
}

TEST(Methods, RefuseANameTheyDoNotKnow) {
  MethodsPlan o;
  o.open.model = "sim:launch-bound";
  o.methods = {"evnt"};
  EXPECT_THROW(compare_methods(o), Error);
}

// The device needs 300 µs to wake after 5 ms without work.
TEST(Methods, HaveARowForEachPauseThatIsNoMethodToBlame) {
  MethodsPlan o;
  o.open.model = "sim:launch=5us,kernels=20x10us,sync=6us,sleep_after=5ms,wake=300us";
  const auto without = method_errors(compare_methods(o));
  o.idle = {{1ms, false}, {10ms, false}, {10ms, true}};
  const Record r = compare_methods(o);
  const Case &shorter = row(r, "after 1 ms idle"), &longer = row(r, "after 10 ms idle");
  EXPECT_EQ(shorter.metrics.at("reading").estimate.value, 211'000);
  EXPECT_EQ(longer.metrics.at("reading").estimate.value, 511'000);
  EXPECT_EQ(longer.metrics.at("reading").n, 45u);
  EXPECT_EQ(longer.claims, "latency");
  EXPECT_NEAR(longer.difference.value(), 300.0 / 211, 1e-9);
  EXPECT_EQ(std::get<double>(longer.settings.at("idle_ns")), 10e6);
  EXPECT_EQ(method_errors(r).usable, without.usable);
  ASSERT_EQ(r.idle.size(), 3u);
  EXPECT_EQ(r.idle[1].metrics.at("latency").estimate.value, 511'000);
  EXPECT_EQ(r.idle[1].difference, longer.difference);
  EXPECT_TRUE(r.idle[2].random);
}

TEST(Methods, DoNotReadOtherwiseBesidePauses) {
  MethodsPlan o;
  o.open.model = "sim:launch=5us,kernels=20x10us,sync=6us,sleep_after=5ms,wake=300us";
  const Record without = compare_methods(o);
  o.idle = {{1s, false}};
  const Record with = compare_methods(o);
  for (std::size_t i = 0; i < without.cases.size(); ++i)
    EXPECT_EQ(with.cases[i].difference, without.cases[i].difference) << without.cases[i].name;
}

TEST(Methods, ShowOnlyWhatDiffersOnTheCpu) {
  MethodsPlan o;
  o.open.model = "work:spin=100us";
  const Record r = compare_methods(o);
  EXPECT_EQ(r.cases.size(), 4u);
  EXPECT_NE(text(r).find("every clock and every wait reads the same"), std::string::npos);
}

// A thousand clean runs are the acceptance (label slow); these are the first of them.
TEST(CleanRuns, AreTrusted) {
  std::size_t doubted = 0;
  for (std::size_t seed = 1; seed <= 60; ++seed) {
    const char* noise = seed % 3 == 0 ? "0" : seed % 3 == 1 ? "0.5" : "0.8";
    const Record r = run_simulated(
        "launch=4us,kernels=40x30us,noise=0.02,ar=" + std::string(noise) + ",seed=" + std::to_string(seed),
        {.effort = Effort::standard});
    doubted += r.verdict != Verdict::trusted;
  }
  EXPECT_LE(doubted, 3u);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "measure/analysis.h"
#include "measure/measurement.h"
#include "testing/virtual_cpu.h"
#include "testing/watched_work.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

Record measured(Workload& work, const Options& o) {
  Record r;
  analyse(measure_rounds(work, o), o, r);
  return r;
}

Record measured(const std::string& text, const Options& o = {.effort = Effort::quick}) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  return measured(work, o);
}

// What was taken, before anything is made of it. The workload is gone: only look at samples.
Measurement taken(const std::string& text, const Options& o) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  Measurement m = measure_rounds(work, o);
  m.replay.reset();
  return m;
}

const Samples& trace_of(const Measurement& m, std::string_view metric) {
  return std::find_if(m.passes.begin(), m.passes.end(), [&](const PassSamples& p) { return p.pass.metric == metric; })
      ->samples;
}

// The samples of each round.
std::map<std::uint32_t, Samples> segments(const Samples& samples) {
  std::map<std::uint32_t, Samples> out;
  for (const Sample& s : samples) out[s.round].push_back(s);
  return out;
}

std::size_t count(const Samples& samples, SampleState state) {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.state == state; }));
}

double median(const Record& r, const char* metric) {
  return r.metrics.at(metric).estimate.value;
}

// A function whose outputs somebody can look at, and for whom it counts: what comes before, and what comes after.
class Observed final : public Workload {
 public:
  Observed(VirtualCpu& cpu, nanoseconds length) : cpu_(cpu), stream_(cpu.stream()), length_(length) {}
  void submit(std::size_t) override {
    ++requests;
    cpu_.clock().sleep(length_);
  }
  Stream& stream() override { return *stream_; }
  std::optional<OutputCheck> check() override {
    ++checks;
    return OutputCheck{};
  }

  void counting() override { before_counting.push_back(requests); }

  std::size_t requests = 0, checks = 0;
  std::vector<std::size_t> before_counting = {};

 private:
  VirtualCpu& cpu_;
  std::unique_ptr<Stream> stream_;
  nanoseconds length_;
};

TEST(Rounds, LookAtTheOutputsOfAFunctionUnlessACallTakesLong) {
  VirtualCpu cpu;
  Observed quick(cpu, 1ms), slow(cpu, 10s);
  EXPECT_TRUE(measure_rounds(quick, {.requests = 5}).around->outputs());
  EXPECT_EQ(quick.checks, 1u);
  EXPECT_FALSE(measure_rounds(slow, {.requests = 5}).around->outputs());
  EXPECT_EQ(slow.checks, 0u);
}

TEST(Rounds, TellTheWorkloadOnceFromWhichRequestOnTheyCount) {
  for (const Options& o : {Options{.warmup = 7, .requests = 5}, Options{.requests = 5}}) {
    VirtualCpu cpu;
    Observed work(cpu, 1ms);
    const Measurement m = measure_rounds(work, o);
    ASSERT_EQ(work.before_counting.size(), 1u);
    const Samples& samples = m.passes.front().samples;
    const auto counted =
        std::count_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.begin >= *m.cut; });
    EXPECT_EQ(work.requests - work.before_counting.front(), static_cast<std::size_t>(counted));
  }
}

TEST(Rounds, AgreeWithTheFormulasToTheNanosecond) {
  const Record r = measured("launch=5us,kernels=20x1us", {.requests = 50, .graph = true});
  EXPECT_EQ(median(r, "latency"), 101'000);
  EXPECT_EQ(median(r, "submit"), 100'000);
  EXPECT_EQ(median(r, "span"), 101'000);
  EXPECT_EQ(median(r, "device_time"), 20'000);
  EXPECT_EQ(median(r, "replay_time"), 20'000);
  EXPECT_EQ(median(r, "replay_latency"), 25'000);          // one launch, then the kernels
  EXPECT_NEAR(median(r, "replay_throughput"), 50'000, 1);  // the device is never idle
  EXPECT_NEAR(median(r, "period"), 100'000, 1e-3);
  EXPECT_NEAR(median(r, "throughput"), 10'000, 1e-3);
}

TEST(Rounds, ShowHostAndDeviceInOneRequest) {
  const Record r = measured("launch=5us,kernels=20x10us", {.requests = 50});
  ASSERT_EQ(r.timeline.size(), 3u);
  EXPECT_EQ(r.timeline[0].end_ns, 100'000);
  EXPECT_EQ(r.timeline[1].end_ns, 205'000);
  EXPECT_NEAR(r.timeline[2].end_ns, 205'000, 1);
  EXPECT_EQ(r.observations.timeline_uncertainty_ns, 0);
}

TEST(Rounds, CountExactlyTheRequestsAskedForInEveryPass) {
  for (const std::size_t n : {1u, 7u, 50u, 1000u}) {
    const Record r = measured("launch=5us,kernels=20x50us", {.requests = n});
    for (const char* metric : {"latency", "submit", "span", "device_time"})
      EXPECT_EQ(r.metrics.at(metric).n, n) << metric;
    EXPECT_EQ(r.status, Status::fixed);
  }
}

TEST(Rounds, WarmUpExactlyAsManyRequestsAsAskedFor) {
  const Record r = measured("launch=5us,kernels=20x50us", {.warmup = 5, .requests = 20});
  EXPECT_EQ(*r.startup.warmup_requests, 5u);
}

TEST(Rounds, LeaveTheWarmUpOutOfTheEstimates) {
  const Record cold = measured("launch=4us,kernels=40x30us,first=400ms,warm=1.6:100,noise=0.005");
  EXPECT_NEAR(median(cold, "device_time"), 1'200'000, 0.004 * 1'200'000);
  EXPECT_GT(*cold.startup.first_ns, 400e6);
}

TEST(Rounds, TakeATimeThatWasFixedBeforehandWhateverTheyRead) {
  for (const char* text : {"noise=0.001", "noise=0.2", "drift=0.02,noise=0.005"}) {
    const Record r = measured("launch=4us,kernels=40x30us," + std::string(text));
    EXPECT_EQ(r.status, Status::fixed);
    EXPECT_GE(r.window_ns, 1e9) << text;
    EXPECT_LT(r.window_ns, 1.25e9) << text;  // a round longer at most
  }
}

// What a pass leaves behind must not always hit the same one.
TEST(Rounds, LetEveryPassFollowEveryOther) {
  const Measurement m = taken("kernels=1x1ms", {.effort = Effort::standard, .graph = true});
  std::map<nanoseconds, std::string> turns;  // by when they began
  for (const PassSamples& p : m.passes) {
    if (p.pass.apart) continue;
    for (const auto& [round, segment] : segments(p.samples)) {
      if (segment[0].begin >= m.steady_from()) turns[segment[0].begin] = p.pass.metric;
    }
  }
  std::map<std::string, std::set<std::string>> before;
  std::string last;
  for (const auto& [begin, pass] : turns) {
    if (!last.empty() && last != pass) before[pass].insert(last);
    last = pass;
  }
  ASSERT_EQ(before.size(), 6u);
  for (const auto& [pass, others] : before) EXPECT_GE(others.size(), 4u) << pass;
}

TEST(Rounds, MeasureInALaterLaunchOnlyWhatAllLaunchesRepeat) {
  const auto metrics_of = [](std::size_t launch) {
    SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,escape=300us"));
    SimulatedWorkload work(device);
    const Options o{.effort = Effort::quick, .graph = true};
    Record r;
    analyse(measure_rounds(work, o, {.launch = launch}), o, r);
    return r;
  };
  const Record first = metrics_of(1), second = metrics_of(2);
  for (const char* metric : {"latency", "device_time", "throughput", "replay_time"})
    EXPECT_TRUE(first.find(metric) && second.find(metric)) << metric;
  for (const char* metric : {"span", "union_time"}) {
    EXPECT_TRUE(first.metrics.contains(metric)) << metric;
    EXPECT_FALSE(second.metrics.contains(metric)) << metric;
  }
  EXPECT_TRUE(first.observations.escaped_ns);
  EXPECT_FALSE(second.observations.escaped_ns);
}

TEST(Rounds, CountALaunchAsTheMedianOfItsRounds) {
  const Record r = measured("kernels=1x1ms,noise=0.02,seed=3");
  const Metric& m = r.metrics.at("device_time");
  EXPECT_NEAR(*m.facts.median_of_rounds, m.estimate.value, 0.01 * m.estimate.value);
  EXPECT_NEAR(*m.facts.request_spread, 0.02, 0.006);
  EXPECT_LT(*m.facts.round_spread, 0.02);
  EXPECT_GE(*m.facts.rounds, 3u);
  EXPECT_LE(*m.facts.rounds, m.n / 10) << "a segment has at least ten requests";
}

TEST(Rounds, GiveTheSameRecordForTheSameSeed) {
  EXPECT_EQ(json(measured("launch=4us,kernels=40x30us,noise=0.02,ar=0.5,seed=4")),
            json(measured("launch=4us,kernels=40x30us,noise=0.02,ar=0.5,seed=4")));
}

TEST(Rounds, SayWhyDeviceTimeIsUnknown) {
  const Record r = measured("launch=5us,kernels=20x1us,hidden_sync=1");
  EXPECT_FALSE(r.metrics.at("device_time").known());
  EXPECT_FALSE(r.observations.gate->used);
  EXPECT_TRUE(r.metrics.at("latency").known());
}

TEST(Rounds, TellAQueueWithoutRoomFromWorkThatWaits) {
  const Record full = measured("launch=1us,kernels=1200x1us,queue=1000");
  EXPECT_EQ(
      full.metrics.at("device_time").unknown,
      "a request launches 1200 kernels, and the device's queue has room for 1000: they cannot all be queued before "
      "it starts");
  EXPECT_EQ(full.observations.gate->why_not, full.metrics.at("device_time").unknown);
  const Record waits = measured("launch=1us,kernels=20x1us,queue=1000,hidden_sync=1");
  EXPECT_NE(waits.metrics.at("device_time").unknown.find("waits for its own work"), std::string::npos);
  EXPECT_TRUE(measured("launch=1us,kernels=600x1us,queue=1000").metrics.at("device_time").known());
}

TEST(Rounds, SeeWorkThatEscapes) {
  EXPECT_EQ(*measured("launch=5us,kernels=20x1us,escape=300us").observations.escaped_ns,
            199'000);  // launched first, 300 µs from 5 µs on; the request itself ends at 106
  EXPECT_EQ(*measured("launch=5us,kernels=20x1us").observations.escaped_ns, 0);
}

TEST(Rounds, EndWithWhatThereIsWhenInterrupted) {
  std::size_t asked = 0;
  const Record r = measured("kernels=1x1ms", {.stop = [&] { return ++asked > 2000; }});
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_GT(r.metrics.at("latency").n, 0u);
}

TEST(Rounds, MeasureCopiesOnlyWhenAskedTo) {
  EXPECT_EQ(measured("launch=5us,kernels=20x1us,copy_in=7us", {.requests = 20}).metrics.count("copy_in"), 0u);
  const Record r = measured("launch=5us,kernels=20x1us,copy_in=7us", {.requests = 20, .copies = true});
  EXPECT_EQ(median(r, "copy_in"), 7'000);
  EXPECT_EQ(median(r, "copy_in_pageable"), 7'000);
  EXPECT_EQ(r.observations.copied_in_bytes, 7'000u);  // a simulated byte takes a nanosecond
  EXPECT_FALSE(r.observations.copied_out_bytes);
  EXPECT_FALSE(r.metrics.contains("copy_out_pageable"));
  EXPECT_EQ(r.metrics.at("copy_out").unknown, "the workload has no outputs to copy");
  EXPECT_EQ(median(r, "end_to_end"), 101'000);
}

// The host needs 4 µs to hand a copy over; it may wait for it, too.
class SlowToCopy final : public Workload {
 public:
  SlowToCopy(SimulatedDevice& device, bool waits) : device_(device), work_(device), waits_(waits) {}
  void submit(std::size_t request) override { work_.submit(request); }
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory memory) override {
    device_.virtual_clock().advance(4us);
    const std::size_t bytes = work_.copy_in(request, on, memory);
    if (waits_) on.synchronize();
    return bytes;
  }
  Stream& stream() override { return work_.stream(); }

 private:
  SimulatedDevice& device_;
  SimulatedWorkload work_;
  bool waits_;
};

TEST(Rounds, TimeTheTransferOfPinnedMemoryWithoutItsLaunch) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,copy_in=7us"));
  SlowToCopy work(device, false);
  const Record r = measured(work, {.requests = 20, .copies = true});
  EXPECT_EQ(median(r, "copy_in"), 7'000);
  EXPECT_EQ(median(r, "copy_in_pageable"), 11'000);
}

TEST(Rounds, TimeCopiesThatWaitInsideAsTheyAre) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,copy_in=7us"));
  SlowToCopy work(device, true);
  const Record r = measured(work, {.requests = 20, .copies = true});
  EXPECT_EQ(median(r, "copy_in"), 11'000);
  EXPECT_EQ(median(r, "device_time"), 20'000);
  EXPECT_TRUE(r.observations.gate->used);
}

TEST(Rounds, LetEveryPassSettleForAFifthOfItsSegment) {
  const Measurement m = taken("kernels=1x1ms", {.requests = 100});
  ASSERT_EQ(m.passes.size(), 4u);
  for (const PassSamples& p : m.passes) {
    for (const auto& [round, segment] : segments(p.samples)) {
      for (const Sample& s : segment)
        EXPECT_EQ(s.state == SampleState::kept, s.begin - segment[0].begin >= 20ms) << p.pass.metric;
    }
  }
}

TEST(Rounds, DoNotCountTheRequestsThatFillTheQueue) {
  const Measurement m = taken("launch=10ms,kernels=1x1ms", {.requests = 20, .in_flight = 8});  // 80 ms to fill it
  for (const auto& [round, segment] : segments(trace_of(m, "period")))
    EXPECT_EQ(count(segment, SampleState::settling), 8u);
}

TEST(Rounds, TakeTenRequestsOfAPassInTurnAndFiveOfSlowOnes) {
  const auto kept_in_a_round = [](const char* text) {
    return count(segments(trace_of(taken(text, {.requests = 30}), "latency")).begin()->second, SampleState::kept);
  };
  EXPECT_EQ(kept_in_a_round("kernels=1x100ms"), 10u);
  EXPECT_EQ(kept_in_a_round("kernels=1x101ms"), 5u);
}

Measurement taken_on_cpu(nanoseconds length, std::size_t requests) {
  VirtualCpu cpu;
  Callable work([&] { cpu.clock().sleep(length); }, cpu.stream(), 1);
  return measure_rounds(work, {.requests = requests});
}

TEST(Rounds, SoakForASetTimeAndTenRequestsAfterTheProbe) {
  const Measurement quick = taken_on_cpu(30ms, 5);
  EXPECT_GE(*quick.cut, 700ms);
  EXPECT_LT(*quick.cut, 1200ms);
  const Measurement slow = taken_on_cpu(300ms, 5);
  EXPECT_GE(slow.requests_before_cut, 10u);
  EXPECT_GE(*slow.cut, 10 * 300ms);
}

TEST(Rounds, SayThatTheyWarmUpWhileTheySoak) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  SimulatedWorkload work(device);
  std::size_t warming = 0;
  measure_rounds(work, {.effort = Effort::quick, .progress = [&](const Progress& p) {
                          if (p.phase == "first request") return;
                          EXPECT_TRUE(p.phase == "warm-up" || (p.phase == "measuring" && warming > 0)) << p.phase;
                          EXPECT_LE(p.elapsed, 2s);
                          warming += p.phase == "warm-up";
                        }});
  EXPECT_GT(warming, 0u);
}

// Requests that the device is asked for when `max_time` is up already: one more at most.
TEST(Rounds, AMaximumTimeHoldsForEverything) {
  for (const nanoseconds length : {1ms, 300ms, 4000ms}) {
    for (const nanoseconds most : {200ms, 2000ms, 10'000ms, 60'000ms}) {
      SimulatedDevice device(
          parse_sim("noise=0.01,copy_in=1ms,copy_out=1ms,kernels=1x" + std::to_string(length / 1ms) + "ms"));
      SimulatedWorkload work(device);
      const Measurement m =
          measure_rounds(work, {.effort = Effort::sustained, .max_time = most, .graph = true, .copies = true});
      const nanoseconds took = device.clock().now() - m.begun;
      EXPECT_LT(took, most + 2 * length * 1.1 + 10ms) << length / 1ms << " ms, " << most / 1ms << " ms";
      EXPECT_GE(count(trace_of(m, "latency"), SampleState::kept), 1u);
    }
  }
}

TEST(Rounds, AMaximumTimeHoldsOnTheCpuAndForFixedCounts) {
  for (const Options& o : {Options{.max_time = 2s}, Options{.max_time = 2s, .requests = 100},
                           Options{.max_time = 2s, .warmup = 50, .requests = 100}}) {
    VirtualCpu cpu;
    int calls = 0;
    const auto call = [&] {
      ++calls;
      cpu.clock().sleep(4s);
    };
    Callable work(call, cpu.stream(), 1);
    const Measurement m = measure_rounds(work, o);
    EXPECT_EQ(calls, 2);
    Record r;
    analyse(m, o, r);
    EXPECT_EQ(median(r, "latency"), 4e9);
    EXPECT_EQ(r.status, Status::not_converged);
  }
}

TEST(Rounds, AMaximumTimeLeavesRoomForAResult) {
  const Record r = measured("kernels=1x1ms,noise=0.01", {.max_time = 4s});
  EXPECT_EQ(r.status, Status::fixed);
  EXPECT_GT(r.window_ns, 1e9);
}

TEST(Rounds, LittleTimeIsSharedByAllPasses) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Record r = measured("launch=3us,kernels=1x50us,noise=0.05,seed=" + std::to_string(seed),
                              {.min_time = 300ms, .max_time = 1s, .graph = true});
    for (const char* metric : {"latency", "span", "device_time", "throughput", "replay_time"})
      EXPECT_TRUE(r.find(metric)) << metric << " with seed " << seed;
  }
}

TEST(Rounds, CountTheRequestsOfAFixedNumber) {
  VirtualCpu cpu;
  Callable work([&] { cpu.clock().sleep(1ms); }, cpu.stream(), 1);
  std::vector<std::size_t> done;
  measure_rounds(work, {.requests = 300, .progress = [&](const Progress& p) {
                          if (p.of == 0) return;
                          EXPECT_EQ(p.of, 300u);
                          done.push_back(p.done);
                        }});
  ASSERT_GT(done.size(), 2u);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 300u);
}

TEST(Rounds, CountWarmUpInRequestsNotInSamples) {
  VirtualCpu cpu;
  std::vector<nanoseconds> before;
  const auto call = [&] {
    before.push_back(cpu.clock().now());
    cpu.clock().sleep(1us);
  };
  Callable work(call, cpu.stream(), 1);
  const Measurement m = measure_rounds(work, {.requests = 50});
  EXPECT_EQ(m.probe.requests_per_sample, 10u);
  const auto calls = std::count_if(before.begin(), before.end(), [&](nanoseconds t) { return t < m.begun + *m.cut; });
  EXPECT_NEAR(static_cast<double>(m.requests_before_cut), static_cast<double>(calls), 9);  // one sample
}

TEST(Rounds, GiveUpDeviceTimeWhenTheWorkloadBeginsToWaitForItself) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  WatchedWork work(device);
  work.waits_from = 1500ms;  // the gate was proved long before
  const Record r = measured(work, {.requests = 500});
  EXPECT_NE(r.metrics.at("device_time").unknown.find("which it had not done before"), std::string::npos);
  EXPECT_EQ(r.observations.gate->voided, 1u);
  EXPECT_EQ(r.metrics.at("latency").n, 500u);
}

TEST(Rounds, MeasureAGraphBehindTheGateWhereOnlyTheEagerWorkloadWaitsForItself) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  WatchedWork work(device);
  work.waits_from = 0ns;
  const Record r = measured(work, {.requests = 500, .graph = true});
  EXPECT_NE(r.metrics.at("device_time").unknown.find("waits for its own work"), std::string::npos);
  EXPECT_FALSE(r.observations.gate->used);
  EXPECT_EQ(r.metrics.at("replay_time").n, 500u);
  EXPECT_EQ(median(r, "replay_time"), 1e6);
}

TEST(Rounds, GiveUpOnlyThePassThatTripped) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  const Options o{.requests = 500, .graph = true};
  WatchedWork eager_waits(device);
  eager_waits.waits_from = 1500ms;
  const Record r = measured(eager_waits, o);
  EXPECT_NE(r.metrics.at("device_time").unknown.find("which it had not done before"), std::string::npos);
  EXPECT_EQ(r.metrics.at("replay_time").n, 500u);

  SimulatedDevice another(parse_sim("kernels=1x1ms"));
  WatchedWork graph_waits(another);
  graph_waits.graph_waits_from = 1500ms;
  const Record s = measured(graph_waits, o);
  EXPECT_NE(s.metrics.at("replay_time").unknown.find("which it had not done before"), std::string::npos);
  EXPECT_EQ(s.metrics.at("device_time").n, 500u);
  EXPECT_TRUE(s.observations.gate->used);
}

}  // namespace
}  // namespace strobe

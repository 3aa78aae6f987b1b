// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_loop.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "testing/virtual_cpu.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

LoopResult looped(const std::string& text, LoopPlan plan, std::size_t input_sets = 2) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device, false, StreamLevel::any, input_sets);
  const std::array<Workload*, 1> one{&work};
  return run_closed_loop(one, plan);
}

TEST(ClosedLoop, IsLimitedByTheSlowerOfHostAndDevice) {
  EXPECT_NEAR(looped("launch=5us,kernels=20x1us", {.in_flight = 4}).throughput.estimate.value, 1e9 / 100'000, 1);
  EXPECT_NEAR(looped("launch=1us,kernels=10x100us", {.in_flight = 4}).throughput.estimate.value, 1e9 / 1'000'000, 0.1);
}

// The host is quicker by a little only: in a short stretch it reads ends at its own pace, because the queue still
// fills.
TEST(ClosedLoop, IsNotPacedByAHostThatIsStillFillingTheQueue) {
  const LoopPlan plan{.in_flight = 4, .shortest = 2s, .longest = 4s};
  EXPECT_NEAR(looped("launch=20ms,kernels=1x24ms", plan).throughput.estimate.value, 1 / 0.024, 0.01);
}

TEST(ClosedLoop, WithOneInFlightIsTheLatency) {
  const LoopResult r = looped("launch=1us,kernels=10x100us", {.in_flight = 1});
  EXPECT_NEAR(r.latency_loaded.estimate.value, 1'001'000, 1);
  EXPECT_NEAR(r.throughput.estimate.value, 1e9 / 1'001'000, 0.1);
}

TEST(ClosedLoop, RequestsWaitForThoseBeforeThem) {
  const LoopResult r = looped("launch=1us,kernels=10x100us", {.in_flight = 4});
  EXPECT_NEAR(r.latency_loaded.estimate.value, 4'000'000, 20'000);  // Little: four at a time, 1 ms each
}

TEST(ClosedLoop, CountsNoRequestOfAQueueThatWasFilling) {
  // The last of the first four is handed over while the device works on the first already.
  const LoopResult r = looped("launch=30us,kernels=10x100us", {.in_flight = 4});
  EXPECT_NEAR(std::ranges::min(r.latencies), 4'000'000, 1'000);
  EXPECT_NEAR(std::ranges::max(r.latencies), 4'000'000, 1'000);
}

TEST(ClosedLoop, HasLatenciesOfSlowRequestsInADeepQueue) {
  const LoopResult r = looped("launch=1us,kernels=1x3s", {.in_flight = 8, .longest = 60s});
  EXPECT_NEAR(r.throughput.estimate.value, 1.0 / 3, 1e-3);
  EXPECT_NEAR(r.latency_loaded.estimate.value, 24e9, 1e6);
}

TEST(ClosedLoop, KnowsHowCertainTheRateOfSlowRequestsIs) {
  const double truth = looped("launch=1us,kernels=1x150ms", {.in_flight = 1, .longest = 3s}).throughput.estimate.value;
  int covered = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    const Estimate rate = looped("launch=1us,kernels=1x150ms,noise=0.05,seed=" + std::to_string(seed),
                                 {.in_flight = 1, .shortest = 3s, .longest = 3s})
                              .throughput.estimate;
    ASSERT_TRUE(rate.bounded());
    covered += *rate.low <= truth && truth <= *rate.high;
  }
  EXPECT_GE(covered, 180);
  EXPECT_LT(covered, 200);
}

TEST(ClosedLoop, CopiesTakeTurnsOrOverlap) {
  const std::string text = "launch=1us,kernels=1x1ms,copy_in=400us,copy_out=300us";
  const auto period = [&](Copies copies) {
    return 1e9 / looped(text, {.in_flight = 4, .copies = copies}).throughput.estimate.value;
  };
  EXPECT_NEAR(period(Copies::none), 1'000'000, 100);
  EXPECT_NEAR(period(Copies::serial), 1'700'000, 1'000);
  EXPECT_NEAR(period(Copies::overlapped), 1'000'000, 1'000);  // hidden behind the work
}

// Of 25 sets each is used again when its marks have just become those of the request before.
TEST(ClosedLoop, CopiesOverlapHoweverManyInputSetsThereAre) {
  const LoopPlan plan{.in_flight = 4, .copies = Copies::overlapped};
  for (const std::size_t sets : {4u, 23u, 24u, 25u, 49u, 200u}) {
    const LoopResult r = looped("launch=1us,kernels=1x1ms,copy_in=400us,copy_out=300us", plan, sets);
    EXPECT_NEAR(1e9 / r.throughput.estimate.value, 1'000'000, 1'000) << sets;
  }
}

TEST(ClosedLoop, GivesThePercentileAskedFor) {
  const auto all = looped("launch=1us,kernels=1x1ms,noise=0.05", {.percentile = 0.95}).latency_loaded.percentiles;
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].p, 0.95);
  EXPECT_TRUE(all[1].estimate);
}

TEST(ClosedLoop, StopsWithinAStretchOfSlowRequests) {
  int asked = 0;
  LocalConductor conductor([&] { return ++asked > 4; });
  const LoopResult r = looped("launch=1us,kernels=1x3s", {.in_flight = 1, .conductor = &conductor});
  EXPECT_TRUE(r.stopped);
  EXPECT_LT(asked, 10);
}

TEST(ClosedLoop, StopsWhenTheRateIsKnownOrAtTheCap) {
  EXPECT_LT(looped("kernels=1x1ms", {.in_flight = 2}).window, 3s);
  const LoopResult r = looped("kernels=1x1ms,noise=0.8,ar=0.99", {.in_flight = 2, .margin = 1e-6});
  EXPECT_GE(r.window, 10s);
}

TEST(ClosedLoop, LooksAFewTimesOnly) {
  std::size_t looks = 0;
  LoopPlan plan{.in_flight = 2, .shortest = 1s, .longest = 60s};
  plan.enough = [&](std::span<const double>) {
    ++looks;
    return false;
  };
  looped("kernels=1x1ms", plan);
  EXPECT_EQ(looks, kLooks - 1);  // the end is the last look, and needs no question
  looks = 0;
  plan.enough = [&](std::span<const double>) { return ++looks == 2; };
  EXPECT_NEAR(to_seconds(looped("kernels=1x1ms", plan).window), 2, 0.4);
}

// However long the machine makes a sleep: rate times latency is what is outstanding at once.
TEST(ClosedLoop, SeveralStreamsAddUp) {
  InlineDevice device;
  const auto sleep = [] { std::this_thread::sleep_for(2ms); };
  Callable a(sleep, device.stream(), 3), b(sleep, device.stream(), 3);
  const auto outstanding = [](std::span<Workload* const> streams) {
    const LoopResult r = run_closed_loop(streams, {.shortest = 300ms, .longest = 300ms});
    return r.throughput.estimate.value / 3 * r.latency_loaded.mean->value * 1e-9;
  };
  EXPECT_NEAR(outstanding(std::array<Workload*, 1>{&a}), 1, 0.1);
  EXPECT_NEAR(outstanding(std::array<Workload*, 2>{&a, &b}), 2, 0.2);
}

std::vector<double> latencies_of_two(const char* text, double* rate = nullptr) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload a(device), b(device);
  const LoopResult r = run_closed_loop(std::array<Workload*, 2>{&a, &b}, {.in_flight = 4, .longest = 2s});
  if (rate) *rate = r.throughput.estimate.value;
  return r.latencies;
}

// Period of a host N·L, of the device N·K: two hosts are limited by the slower of N·L / 2 and N·K.
TEST(ClosedLoop, SeveralStreamsShareASimulatedDevice) {
  const auto rate = [](const char* text) {
    double found = 0;
    latencies_of_two(text, &found);
    return found;
  };
  // Streams in step end together: of a stretch's 480 completions the last one has no period.
  EXPECT_NEAR(rate("launch=50us,kernels=20x10us,at_once=1"), 2e9 / 1'000'000, 5);   // hosts: 1 ms each
  EXPECT_NEAR(rate("launch=10us,kernels=10x100us,at_once=1"), 1e9 / 1'000'000, 1);  // device: 1 ms each
  EXPECT_NEAR(rate("launch=10us,kernels=10x100us"), 2e9 / 1'000'000, 5);            // streams run beside each other
}

TEST(ClosedLoop, SeveralStreamsOfASimulatedDeviceAreReproducible) {
  constexpr const char* kNoisy = "launch=50us,kernels=4x100us,at_once=1,noise=0.2,sync=7us,mark=1us";
  const std::vector<double> first = latencies_of_two(kNoisy);
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(latencies_of_two(kNoisy), first);
}

// Whoever waits for several streams waits on their device's clock: here nothing else moves it.
TEST(ClosedLoop, WaitsForStreamsOnTheirOwnClock) {
  VirtualCpu cpu;
  std::atomic<bool> moved = true;
  const auto wait_for_time = [&] {
    const nanoseconds begin = cpu.clock().now();
    const auto give_up = std::chrono::steady_clock::now() + 10s;
    while (cpu.clock().now() < begin + 3ms && moved) {
      if (std::chrono::steady_clock::now() > give_up) moved = false;
      std::this_thread::yield();
    }
  };
  Callable a(wait_for_time, cpu.stream(), 1), b(wait_for_time, cpu.stream(), 1);
  run_a_few(std::array<Workload*, 2>{&a, &b}, {}, 1);
  EXPECT_TRUE(moved);
}

TEST(ClosedLoop, ThrowsWhatAStreamThrows) {
  InlineDevice device;
  int n = 0;
  Callable good([] { std::this_thread::sleep_for(1ms); }, device.stream(), 1);
  Callable bad(
      [&] {
        if (++n > 20) throw Error(ErrorCode::out_of_memory, "no room");
      },
      device.stream(), 1);
  const std::array<Workload*, 2> two{&good, &bad};
  EXPECT_THROW(run_closed_loop(two, {}), Error);
}

// Requests at two places, quick at the first and slow at the second, as a runtime with two streams makes them. The host
// hears of each end a while later.
class TwoStreams final : public Workload, public Overlapping {
 public:
  explicit TwoStreams(VirtualCpu& cpu) : cpu_(cpu), stream_(cpu.stream()) {}

  void submit(std::size_t) override { cpu_.clock().sleep(1ms); }
  Stream& stream() override { return *stream_; }
  Overlapping* overlapping() override { return this; }

  std::size_t streams() const override { return 2; }
  std::size_t outstanding() const override { return 2; }
  std::size_t places() const override { return 2; }
  std::size_t start(std::size_t) override {
    const std::size_t place = ends_[0] ? 1 : 0;
    ends_[place] = cpu_.clock().now() + (place == 0 ? 1ms : 3ms);
    return place;
  }
  End next_end() override {
    const std::size_t place = !ends_[1] || (ends_[0] && *ends_[0] <= *ends_[1]) ? 0 : 1;
    const nanoseconds at = *ends_[place];
    cpu_.clock().sleep_until(at + kHeardLater);
    ends_[place].reset();
    return {place, at};
  }

  static constexpr nanoseconds kHeardLater = 100us;

 private:
  VirtualCpu& cpu_;
  std::unique_ptr<Stream> stream_;
  std::array<std::optional<nanoseconds>, 2> ends_;
};

TEST(ClosedLoop, StartsTheNextRequestWhereverOneHasEnded) {
  VirtualCpu cpu;
  TwoStreams work(cpu);
  const LoopResult r =
      run_closed_loop(std::array<Workload*, 1>{&work}, {.in_flight = 9, .shortest = 2s, .longest = 2s});
  const double period = 1e-3 + to_seconds(TwoStreams::kHeardLater),
               slow_period = 3e-3 + to_seconds(TwoStreams::kHeardLater);
  EXPECT_NEAR(r.throughput.estimate.value, 1 / period + 1 / slow_period, 12);
}

TEST(ClosedLoop, TakesTheRuntimesTimesOfRequestsThatOverlap) {
  VirtualCpu cpu;
  TwoStreams work(cpu);
  const LoopResult r = run_closed_loop(std::array<Workload*, 1>{&work}, {.shortest = 500ms, .longest = 500ms});
  EXPECT_EQ(std::ranges::min(r.latencies), 1e6);  // and not when the host heard of it
  EXPECT_EQ(std::ranges::max(r.latencies), 3e6);
}

TEST(ClosedLoop, RefusesWhatCannotBe) {
  EXPECT_THROW(looped("kernels=1x1ms", {.copies = Copies::serial}), Error);  // nothing to copy
}

}  // namespace
}  // namespace strobe

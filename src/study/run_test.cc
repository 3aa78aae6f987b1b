// SPDX-License-Identifier: Apache-2.0
#include "study/run.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "host/affinity.h"

namespace strobe {
namespace {

const Finding* find(const Record& r, std::string_view id) {
  const auto it = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == id; });
  return it == r.findings.end() ? nullptr : &*it;
}

void spin(std::chrono::nanoseconds t) {
  const auto end = std::chrono::steady_clock::now() + t;
  while (std::chrono::steady_clock::now() < end) {
  }
}

TEST(Measure, ACallableOnTheCpuHasLatencyAndThroughputAndNothingAQueueHas) {
  int calls = 0;
  const Record r = measure([&] { ++calls; }, {.name = "count",
                                              .effort = quick,
                                              .min_time = std::chrono::milliseconds(50),
                                              .max_time = std::chrono::milliseconds(200)});
  EXPECT_GT(calls, 1000);
  EXPECT_TRUE(r.find("latency"));
  EXPECT_TRUE(r.find("throughput"));
  for (const char* metric : {"submit", "span", "device_time", "latency_loaded"})
    EXPECT_EQ(r.metrics.count(metric), 0u) << metric;
  EXPECT_EQ(r.model.name, "count");
}

TEST(Measure, CountsTheItemsOfACall) {
  const auto pause = [] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const Record r = measure(pause, {.requests = 50, .items = 8});
  EXPECT_NEAR(r.find("throughput")->estimate.value * r.find("period")->estimate.value, 8e9, 8e9 * 1e-6);
}

TEST(Measure, KeepsACallableOnTheCpuThatIsNamedAndRestoresItsThread) {
  const std::vector<int> all = cpus_of_this_thread();
  std::vector<int> last;
  const auto look = [&] {
    last = cpus_of_this_thread();
    spin(std::chrono::microseconds(100));
  };
  const Record pinned = measure(look, {.warmup = 1, .requests = 10, .pin = std::to_string(all.back())});
  EXPECT_EQ(last, std::vector<int>{all.back()});
  EXPECT_EQ(cpus_of_this_thread(), all);
  ASSERT_TRUE(pinned.observations.cpus);
  EXPECT_EQ(pinned.observations.cpus->pinned, std::vector<std::int64_t>{all.back()});
  EXPECT_EQ(pinned.observations.cpus->passes.at("latency"), pinned.observations.cpus->pinned);
  measure(look, {.warmup = 1, .requests = 10});
  EXPECT_EQ(last, all);  // on the CPU nobody is pinned who does not ask for it
  EXPECT_THROW(measure(look, {.requests = 10, .pin = "1000"}), Error);
}

TEST(Measure, FindsALibraryThatIsLoadedInTheMiddleOfTheWindow) {
  constexpr const char* kLibrary = "libutil.so.1";  // part of the C library, and used by nobody any more
  int calls = 0;
  void* handle = nullptr;
  const auto lazy = [&](int at) {
    return [&, at] {
      spin(std::chrono::milliseconds(2));
      if (++calls == at) {
        handle = ::dlopen(kLibrary, RTLD_NOW);
        spin(std::chrono::milliseconds(100));
      }
    };
  };
  // A segment has 50 requests: the third of three.
  const Record late = measure(lazy(140), {.warmup = 10, .requests = 150});
  if (!handle) GTEST_SKIP() << "there is no " << kLibrary;
  ASSERT_TRUE(find(late, "loads-inside-timing")) << text(late);
  EXPECT_NE(find(late, "loads-inside-timing")->message.find(kLibrary), std::string::npos);
  EXPECT_GT(find(late, "loads-inside-timing")->evidence.at("effect"), 0.02);  // 100 ms of 400 on a quiet machine
  ::dlclose(handle);
  calls = 0;
  const Record early = measure(lazy(5), {.warmup = 10, .requests = 150});
  EXPECT_FALSE(find(early, "loads-inside-timing")) << text(early);
  ::dlclose(handle);
}

TEST(Measure, FindsThatItsThreadLostItsCpu) {
  std::atomic<bool> done{false};
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
    others.emplace_back([&] {
      while (!done) {
      }
    });
  const Record r = measure([] { spin(std::chrono::milliseconds(1)); }, {.warmup = 5, .requests = 300});
  done = true;
  for (std::thread& t : others) t.join();
  ASSERT_TRUE(r.observations.disturbances);
  if (!r.observations.disturbances->waited_ns) GTEST_SKIP() << "this kernel does not count the time";
  ASSERT_TRUE(find(r, "preempted")) << text(r);
  EXPECT_GT(find(r, "preempted")->evidence.at("share"), 0.1);
}

// Computes the right thing until it was asked often enough.
class Forgetful final : public Workload {
 public:
  Forgetful(Device& device, std::size_t limit) : stream_(device.stream()), limit_(limit) {}
  void submit(std::size_t) override {
    value_ = ++requests_ > limit_ ? 0 : 1;
    spin(std::chrono::microseconds(100));
  }
  Stream& stream() override { return *stream_; }
  std::optional<OutputCheck> check() override { return OutputCheck{}; }
  void check_again(OutputCheck& check) override {
    submit(0);
    check.lasting = value_ == 1;
    check.late_difference = 1 - value_;
  }

 private:
  std::unique_ptr<Stream> stream_;
  std::size_t limit_, requests_ = 0;
  double value_ = 0;
};

TEST(Measure, LooksAtTheOutputsOnceMoreAfterTheLastRequest) {
  InlineDevice device;
  Forgetful sound(device, SIZE_MAX), forgetful(device, 150);
  EXPECT_FALSE(find(measure(sound, {.requests = 300}), "output-mismatch"));
  const Record r = measure(forgetful, {.requests = 300});
  ASSERT_TRUE(find(r, "output-mismatch"));
  EXPECT_EQ(r.verdict, Verdict::invalid);
}

// Runs well, and has no memory left for questions.
class Reticent final : public Session {
 public:
  explicit Reticent(Device& device) : stream_(device.stream()) {}
  void submit(std::size_t) override { spin(std::chrono::microseconds(100)); }
  Stream& stream() override { return *stream_; }
  ModelInfo info() const override { throw std::runtime_error("out of memory"); }
  std::optional<ValueShares> input_values() const override { throw std::runtime_error("out of memory"); }

 private:
  std::unique_ptr<Stream> stream_;
};

TEST(Measure, KeepsItsFiguresWhenWhatStandsBesideThemCannotBeHad) {
  InlineDevice device;
  Reticent session(device);
  const Record r = measure(session, {.requests = 50});
  EXPECT_TRUE(r.find("latency"));
  EXPECT_FALSE(r.observations.input_zero_share);
}

TEST(Run, JudgesWhatItMeasured) {
  RunOptions o;
  o.open.model = "sim:launch-bound";
  o.measure.effort = quick;
  const Record r = run(o);
  EXPECT_EQ(r.verb, "run");
  EXPECT_EQ(r.model.name, "sim:launch-bound");
  EXPECT_EQ(r.status, Status::fixed);
  bool host_bound = false;
  for (const Finding& f : r.findings) host_bound = host_bound || f.id == "host-bound";
  EXPECT_TRUE(host_bound);
}

TEST(Run, KnowsHowManyKernelsASimulatedRequestLaunches) {
  RunOptions o;
  o.open.model = "sim:kernels=20x1us+2x50us,launch=1us";
  o.measure.requests = 20;
  EXPECT_EQ(run(o).observations.kernels_per_request, 22.0);
}

TEST(Run, SaysWhyAnIntervalIsNotBounded) {
  RunOptions o;
  o.open.model = "sim:device-bound";
  o.measure.requests = 3;
  const Record few = run(o);
  const Estimate& median = few.metrics.at("latency").estimate;
  EXPECT_FALSE(median.bounded());
  EXPECT_FALSE(median.valid);
  EXPECT_NE(median.why.find("too few"), std::string::npos) << median.why;
  o.measure.requests = 200;
  const Record enough = run(o);
  EXPECT_TRUE(enough.metrics.at("latency").estimate.valid);
  EXPECT_EQ(enough.metrics.at("latency").estimate.why, "");
}

TEST(Run, RefusesOptionsThatOnlyAModelFileCanTake) {
  RunOptions o;
  o.open.model = "sim:launch-bound";
  o.open.batch = 4;
  EXPECT_THROW(run(o), Error);
}

TEST(Run, HasTheMemoryOfADeviceThatIsCounted) {
  RunOptions o;
  o.open.model = "sim:kernels=5us+5us,memory=1GiB,weights=50MiB,workspace=8MiB,activations=2MiB,driver=3MiB";
  o.measure.requests = 20;
  EXPECT_EQ(run(o).find("memory")->estimate.value, 65.0 * (1 << 20));
  o.open.model = "sim:kernels=5us";
  EXPECT_FALSE(run(o).find("memory"));
}

TEST(Run, OnTheCpuHasThePeakOfTheProcess) {
  RunOptions o;
  o.open.model = "work:spin=50us";
  o.measure.requests = 20;
  const Record r = run(o);
  ASSERT_TRUE(r.find("memory"));
  EXPECT_GT(r.find("memory")->estimate.value, 1 << 20);
  EXPECT_FALSE(r.find("memory")->estimate.bounded());
}

}  // namespace
}  // namespace strobe

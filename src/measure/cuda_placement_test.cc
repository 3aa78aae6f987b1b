// SPDX-License-Identifier: Apache-2.0
// Where the threads of a measurement run, on a CUDA device with a fake driver and real threads.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/cuda/cuda_device.h"
#include "host/affinity.h"
#include "measure/closed_loop.h"
#include "measure/measurement.h"
#include "measure/method_rows.h"
#include "measure/placement.h"
#include "record/scalars.h"
#include "testing/fake_cuda.h"
#include "testing/thread_cpus.h"
#include "workload/callable.h"

namespace strobe::cuda {
namespace {

using Cpus = std::vector<int>;
using Threads = std::map<int, Cpus>;

// Telemetry and watchdog of a device whose gate was used.
struct Watched {
  CudaDevice device{testing::fake_driver(), "0"};
  std::unique_ptr<Stream> stream = device.stream();
  Threads before = testing::cpus_of_threads();
  Surroundings around{device};
  Watched() { device.hold(*stream, {}).open(); }

  Threads watchers() const {
    Threads threads = testing::cpus_of_threads();
    std::erase_if(threads, [&](const auto& t) { return before.contains(t.first); });
    return threads;
  }
};

// Of all its CPUs this thread keeps one: for a thread that ends with its test.
void leave_one(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ASSERT_EQ(::sched_setaffinity(0, sizeof set, &set), 0);
}

TEST(Placement, KeepsTheThreadOnItsCpuAndThoseThatWatchItElsewhere) {
  if (testing::has_foreign_threads()) GTEST_SKIP() << "ThreadSanitizer has a thread, too";
  Watched w;
  const Cpus all = cpus_of_this_thread();
  if (all.size() < 2) GTEST_SKIP() << "one CPU only";
  {
    const Placement place({.here = true}, w.device, w.around);
    const Cpus mine = cpus_of_this_thread();
    ASSERT_EQ(mine.size(), 1u);
    const Threads watchers = w.watchers();
    EXPECT_EQ(watchers.size(), 2u);
    for (const auto& [thread, cpus] : watchers) {
      EXPECT_EQ(cpus.size(), all.size() - 1) << thread;
      EXPECT_EQ(std::count(cpus.begin(), cpus.end(), mine.front()), 0) << thread;
    }
  }
  EXPECT_EQ(cpus_of_this_thread(), all);
  for (const auto& [thread, cpus] : w.watchers()) EXPECT_EQ(cpus, all) << thread;
}

TEST(Placement, GoesToTheCpuThatIsNamed) {
  Watched w;
  const Cpus all = cpus_of_this_thread();
  for (const int cpu : all) {
    const Placement place({.cpus = {cpu}}, w.device, w.around);
    EXPECT_EQ(cpus_of_this_thread(), Cpus{cpu});
    EXPECT_EQ(current_cpu(), cpu);
  }
  EXPECT_THROW(Placement({.cpus = {1000}}, w.device, w.around), Error);
  EXPECT_EQ(cpus_of_this_thread(), all);
}

TEST(Placement, ChangesNothingWhereNothingIsAsked) {
  Watched w;
  const Threads before = testing::cpus_of_threads();
  const Placement place({}, w.device, w.around);
  EXPECT_EQ(testing::cpus_of_threads(), before);
}

TEST(Placement, ChangesNothingWhereThereIsOneCpuOnly) {
  std::thread([] {
    const int only = cpus_of_this_thread().back();
    leave_one(only);
    Watched w;  // its threads have that CPU alone, too
    const Threads before = testing::cpus_of_threads();
    for (const auto& [thread, cpus] : w.watchers()) EXPECT_EQ(cpus, Cpus{only}) << thread;
    {
      const Placement place({.here = true}, w.device, w.around);
      EXPECT_EQ(testing::cpus_of_threads(), before);
    }
    EXPECT_EQ(testing::cpus_of_threads(), before);
  }).join();
}

// Where requests were made from: the CPUs of their thread, each when it changed.
class Placed final : public Workload {
 public:
  explicit Placed(CudaDevice& device) : device_(device), stream_(device.stream()) {}
  void submit(std::size_t) override {
    device_.kernels().empty(nullptr);
    if (const Cpus cpus = cpus_of_this_thread(); seen.empty() || seen.back() != cpus) seen.push_back(cpus);
  }
  Stream& stream() override { return *stream_; }

  std::vector<Cpus> seen;

 private:
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
};

// Warm everywhere, then measured on one CPU; what is asked of it afterwards is asked everywhere again.
void expect_pinned_once_warm(const Placed& work, const Observations& observed) {
  const Cpus all = cpus_of_this_thread();
  ASSERT_GE(work.seen.size(), 2u);
  EXPECT_EQ(work.seen[0], all);
  ASSERT_EQ(work.seen[1].size(), 1u);
  for (std::size_t i = 2; i < work.seen.size(); ++i) EXPECT_EQ(work.seen[i], all);
  ASSERT_TRUE(observed.cpus);
  EXPECT_EQ(observed.cpus->pinned, std::vector<std::int64_t>{work.seen[1][0]});
  EXPECT_EQ(observed.cpus->moves, 0u);
}

TEST(PlacedRounds, AreMeasuredOnOneCpuWhichTheCanaryWatches) {
  if (cpus_of_this_thread().size() < 2) GTEST_SKIP() << "one CPU only";
  CudaDevice device(testing::fake_driver(), "0");
  Placed work(device);
  const Measurement m = measure_rounds(work, {.warmup = 5, .requests = 20}, {.pin = {.here = true}});
  Observations observed;
  m.around->observe(0ns, observed);
  expect_pinned_once_warm(work, observed);
  for (const char* metric : {"latency", "span", "device_time", "period"}) {
    ASSERT_TRUE(observed.cpus->passes.contains(metric)) << metric;
    EXPECT_EQ(observed.cpus->passes.at(metric), observed.cpus->pinned) << metric;
  }
  EXPECT_TRUE(fact<double>(m.around->telemetry().facts, "canary_excess"));
}

TEST(PlacedRounds, MayMoveWhereNobodyPinsThem) {
  CudaDevice device(testing::fake_driver(), "0");
  Placed work(device);
  const Measurement m = measure_rounds(work, {.warmup = 5, .requests = 20});
  Observations observed;
  m.around->observe(0ns, observed);
  EXPECT_EQ(work.seen, std::vector<Cpus>{cpus_of_this_thread()});
  ASSERT_TRUE(observed.cpus);
  EXPECT_EQ(observed.cpus->pinned.empty(), cpus_of_this_thread().size() > 1);
  EXPECT_FALSE(observed.cpus->passes.at("latency").empty());
}

TEST(PlacedRows, AreReadOnOneCpu) {
  if (cpus_of_this_thread().size() < 2) GTEST_SKIP() << "one CPU only";
  CudaDevice device(testing::fake_driver(), "0");
  Placed work(device);
  const MethodPlan plan{.rows = {{.method = kLatencyPass.method, .name = "latency", .reference = true}},
                        .warmup = 2,
                        .requests = 10,
                        .pin = {.here = true}};
  const MethodRows result = time_by_methods(work, plan);
  Observations observed;
  result.around->observe(0ns, observed);
  expect_pinned_once_warm(work, observed);
  EXPECT_TRUE(observed.cpus->passes.contains("latency"));
}

TEST(PlacedLoop, StaysOnOneCpuUnlessThereAreSeveralStreams) {
  if (cpus_of_this_thread().size() < 2) GTEST_SKIP() << "one CPU only";
  CudaDevice device(testing::fake_driver(), "0");
  Placed a(device), b(device);
  const LoopPlan plan{.in_flight = 2, .shortest = 100ms, .longest = 100ms, .pin = {.here = true}};
  const std::array<Workload*, 1> one{&a};
  Observations observed;
  run_closed_loop(one, plan).around->observe(0ns, observed);
  expect_pinned_once_warm(a, observed);
  EXPECT_TRUE(observed.cpus->passes.contains("throughput"));
  a.seen.clear();
  const std::array<Workload*, 2> two{&a, &b};
  run_closed_loop(two, plan);
  EXPECT_EQ(a.seen, std::vector<Cpus>{cpus_of_this_thread()});
  EXPECT_EQ(b.seen, std::vector<Cpus>{cpus_of_this_thread()});
}

}  // namespace
}  // namespace strobe::cuda

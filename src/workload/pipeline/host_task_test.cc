// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/host_task.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"
#include "stats/mean.h"

namespace strobe {
namespace {

TEST(HostTask, SpinAndSleepTakeTheirTimeOnEitherClock) {
  SimulatedDevice sim(parse_sim("launch=1us"));
  make_host_task(SpinTask{100us}, sim).run();
  make_host_task(SleepTask{1ms}, sim).run();
  EXPECT_EQ(sim.clock().now(), 1100us);
  InlineDevice cpu;
  const nanoseconds begin = cpu.clock().now();
  make_host_task(SpinTask{100us}, cpu).run();
  EXPECT_GE(cpu.clock().now() - begin, 100us);
}

TEST(HostTask, ASignalDoesNotShortenASleep) {
  struct sigaction nothing{}, before{};
  nothing.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &nothing, &before);
  InlineDevice cpu;
  std::thread signals([thread = ::pthread_self()] {
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(5ms);
      ::pthread_kill(thread, SIGUSR1);
    }
  });
  const nanoseconds begin = cpu.clock().now();
  make_host_task(SleepTask{100ms}, cpu).run();
  EXPECT_GE(cpu.clock().now() - begin, 100ms);
  signals.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(HostTask, SaysWhatItIs) {
  InlineDevice cpu;
  EXPECT_EQ(make_host_task(RandnTask{{1, 3, 8, 8}, 2, 1}, cpu).about, "randn 1×3×8×8");
  EXPECT_EQ(make_host_task(MemcpyTask{{1 << 20}}, cpu).about, "memcpy 1.00 MiB");
  EXPECT_EQ(make_host_task(FunctionTask{"libc.so.6", "sched_yield"}, cpu).about, "sched_yield of libc.so.6");
}

TEST(HostTask, RandnFillsTheTensorAnewEachTime) {
  InlineDevice cpu;
  const HostTask task = make_host_task(RandnTask{{100, 100}, 2, 1}, cpu);
  const auto values = [&] {
    std::vector<float> x(task.memory.size() / sizeof(float));
    std::memcpy(x.data(), task.memory.data(), task.memory.size());
    return std::vector<double>(x.begin(), x.end());
  };
  std::vector<double> before = values();
  ASSERT_EQ(before.size(), 10'000u);
  for (int i = 0; i < 3; ++i) {
    task.run();
    const std::vector<double> now = values();
    EXPECT_NE(now, before);
    EXPECT_NEAR(stats::mean(now), 1, 0.1);
    EXPECT_NEAR(stats::stddev(now), 2, 0.1);
    before = now;
  }
}

TEST(HostTask, MemcpyWritesEveryByte) {
  InlineDevice cpu;
  const HostTask task = make_host_task(MemcpyTask{{4096}}, cpu);
  ASSERT_EQ(task.memory.size(), 4096u);
  const auto written = [&] { return std::count(task.memory.begin(), task.memory.end(), std::byte{1}); };
  EXPECT_EQ(written(), 0);
  for (int i = 0; i < 3; ++i) task.run();
  EXPECT_EQ(written(), 4096);
}

TEST(HostTask, FunctionIsCalledEachTime) {
  InlineDevice cpu;
  const HostTask task = make_host_task(FunctionTask{"libc.so.6", "rand"}, cpu);
  std::srand(7);
  for (int i = 0; i < 3; ++i) std::rand();
  const int fourth = std::rand();
  std::srand(7);
  for (int i = 0; i < 3; ++i) task.run();
  EXPECT_EQ(std::rand(), fourth);
}

TEST(HostTask, RefusesWhatCannotBeHad) {
  InlineDevice cpu;
  SimulatedDevice sim(parse_sim("launch=1us"));
  EXPECT_THROW(make_host_task(RandnTask{{1 << 21, 1 << 21}, 1, 0}, cpu), Error);
  EXPECT_THROW(make_host_task(MemcpyTask{{std::uint64_t{1} << 49}}, cpu), Error);
  EXPECT_THROW(make_host_task(FunctionTask{"./none.so", "f"}, cpu), Error);
  EXPECT_THROW(make_host_task(FunctionTask{"libc.so.6", "no_such_symbol"}, cpu), Error);
  EXPECT_THROW(make_host_task(RandnTask{{1}, 1, 0}, sim), Error);
  EXPECT_THROW(make_host_task(MemcpyTask{{1}}, sim), Error);
  EXPECT_THROW(make_host_task(FunctionTask{"libc.so.6", "sched_yield"}, sim), Error);
}

}  // namespace
}  // namespace strobe

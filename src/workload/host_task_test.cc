#include "workload/host_task.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"

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

TEST(HostTask, SaysWhatItIs) {
  InlineDevice cpu;
  EXPECT_EQ(make_host_task(RandnTask{{1, 3, 8, 8}, 2, 1}, cpu).about, "randn 1×3×8×8");
  EXPECT_EQ(make_host_task(MemcpyTask{{1 << 20}}, cpu).about, "memcpy 1.00 MiB");
  EXPECT_EQ(make_host_task(FunctionTask{"libc.so.6", "sched_yield"}, cpu).about, "sched_yield of libc.so.6");
}

TEST(HostTask, RunsAgainAndAgain) {
  InlineDevice cpu;
  for (const HostTask& task : {make_host_task(RandnTask{{16, 16}, 2, 1}, cpu), make_host_task(MemcpyTask{{4096}}, cpu),
                               make_host_task(FunctionTask{"libc.so.6", "sched_yield"}, cpu)}) {
    for (int i = 0; i < 3; ++i) task.run();
  }
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

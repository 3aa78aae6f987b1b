// SPDX-License-Identifier: Apache-2.0
#include "workload/simulated_workload.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

struct Sim {
  explicit Sim(const char* text, std::size_t sets = 2)
      : device(parse_sim(text)), work(device, false, StreamLevel::any, sets) {
    work.stream().reserve(8);
  }
  // What a request takes that begins on an idle device.
  nanoseconds time(Workload& workload, std::size_t request) {
    const nanoseconds begin = device.clock().now();
    workload.submit(request);
    workload.stream().synchronize();
    return device.clock().now() - begin;
  }
  std::vector<nanoseconds> times(std::size_t requests) {
    std::vector<nanoseconds> all;
    for (std::size_t r = 0; r < requests; ++r) all.push_back(time(work, r));
    return all;
  }
  SimulatedDevice device;
  SimulatedWorkload work;
};

TEST(SimulatedWorkload, PaysOneLaunchPerKernel) {
  Sim s("launch=5us,kernels=20x1us+2x50us");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 110us);
  s.work.stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 105us + 50us + 50us);
}

TEST(SimulatedWorkload, ReplaysAllKernelsWithOneLaunch) {
  Sim s("launch=5us,kernels=20x1us");
  const Replay replay = s.work.replay();
  ASSERT_TRUE(replay.workload);
  replay.workload->submit(0);
  EXPECT_EQ(s.device.clock().now(), 5us);
  replay.workload->stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 25us);
}

TEST(SimulatedWorkload, PutsEscapingWorkWhereNoMarkOfItsStreamSeesIt) {
  Sim s("kernels=1x10us,escape=100us");
  const Mark a = s.work.stream().mark();
  s.work.submit(0);
  const Mark b = s.work.stream().mark();
  s.work.stream().wait(b);
  EXPECT_EQ(s.work.stream().between(a, b), 10us);
  s.device.synchronize();
  EXPECT_EQ(s.device.clock().now(), 100us);
}

TEST(SimulatedWorkload, WaitsForLeakingWorkWhichNoGateHolds) {
  Sim s("launch=1us,kernels=4x10us,leak=100us");
  Stream& stream = s.work.stream();
  Gate gate = s.device.hold(stream, {});
  const Mark a = stream.mark();
  s.work.submit(0);  // its side stream begins after 1 µs, and the host is done after 5 µs
  const Mark b = stream.mark();
  gate.open();
  stream.wait(b);
  EXPECT_EQ(stream.between(a, b), 96us);
  EXPECT_FALSE(s.work.replay().workload);
}

TEST(SimulatedWorkload, AHiddenSynchronisationBlocksSubmitAndCapture) {
  Sim s("kernels=4x10us,hidden_sync=1");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 20us);
  EXPECT_FALSE(s.work.replay().workload);
}

TEST(SimulatedWorkload, OnlyTheFirstRequestIsSlow) {
  Sim s("launch=1us,kernels=1x1us,first=5ms");
  s.work.submit(0);
  EXPECT_EQ(s.device.clock().now(), 5ms + 1us);
  s.work.submit(1);
  EXPECT_EQ(s.device.clock().now(), 5ms + 2us);
}

// Three sets fit. A request of kernels that the host hands over at no cost takes 50 µs, or 80.
constexpr const char* kThreeFit = "kernels=5x10us,cache=3MB,input=1MB,miss=30us";
using Times = std::vector<nanoseconds>;

TEST(SimulatedWorkload, WaitsOnceForEachInputThatTheCacheHasRoomFor) {
  EXPECT_EQ(Sim(kThreeFit, 3).times(7), (Times{80us, 80us, 80us, 50us, 50us, 50us, 50us}));
}

TEST(SimulatedWorkload, WaitsEachTimeInARotationOfOneSetMore) {
  EXPECT_EQ(Sim(kThreeFit, 4).times(9), Times(9, 80us));
}

TEST(SimulatedWorkload, WaitsAgainAfterAFlush) {
  Sim s(kThreeFit);
  s.times(4);
  s.device.flush_cache(s.work.stream());
  EXPECT_EQ(s.times(4), (Times{80us, 80us, 50us, 50us}));
}

TEST(SimulatedWorkload, WaitsEachTimeWhereTheCacheIsSmallerThanOneInput) {
  EXPECT_EQ(Sim("kernels=5x10us,cache=1MB,input=2MB,miss=30us", 1).times(3), Times(3, 80us));
}

TEST(SimulatedWorkload, ReadsItsInputInTheFirstKernelOnly) {
  // The host needs 10 µs a kernel: the first one's 30 µs more are over before the last one is handed over.
  EXPECT_EQ(Sim("launch=10us,kernels=9x2us,cache=1MB,input=1MB,miss=30us", 2).times(2), Times(2, 92us));
}

TEST(SimulatedWorkload, SharesItsInputsWithItsGraph) {
  Sim s(kThreeFit);
  s.times(2);
  const Replay replay = s.work.replay();
  EXPECT_EQ(s.time(*replay.workload, 0), 50us);
  s.device.flush_cache(s.work.stream());
  EXPECT_EQ(s.time(*replay.workload, 0), 80us);
  EXPECT_EQ(s.time(s.work, 0), 50us);
}

TEST(SimulatedWorkload, HasInputsApartFromThoseOfOthers) {
  Sim s(kThreeFit);
  SimulatedWorkload other(s.device);
  s.times(2);
  EXPECT_EQ(s.time(other, 0), 80us);
  EXPECT_EQ(s.time(other, 1), 80us);
  EXPECT_EQ(s.time(s.work, 1), 50us);
  EXPECT_EQ(s.time(s.work, 0), 80us);  // it made room for the other's
}

TEST(SimulatedWorkload, FindsInTheCacheWhatWasJustCopied) {
  Sim s("kernels=5x10us,copy_in=1us,cache=3MB,input=1MB,miss=30us", 9);
  s.work.copy_in(0, s.work.stream(), HostMemory::pinned);
  EXPECT_EQ(s.time(s.work, 0), 51us);
  EXPECT_EQ(s.time(s.work, 1), 80us);
}

TEST(SimulatedWorkload, TellsTheBytesOfItsInputsWhereItHasAny) {
  EXPECT_EQ(Sim(kThreeFit, 4).work.input_bytes(), 4'000'000u);
  EXPECT_EQ(Sim(kThreeFit, 4).work.input_sets(), 4u);
  EXPECT_FALSE(Sim("kernels=1us").work.input_bytes());
}

TEST(SimulatedWorkload, CopiesOnlyWhenThereIsSomethingToCopy) {
  Sim s("kernels=1x1us,copy_in=3us");
  EXPECT_EQ(s.work.copy_in(0, s.work.stream(), HostMemory::pinned), 3000u);
  EXPECT_EQ(s.work.copy_out(0, s.work.stream(), HostMemory::pinned), 0u);
  EXPECT_EQ(s.device.clock().now(), 0us);  // the host does not wait
  s.work.stream().synchronize();
  EXPECT_EQ(s.device.clock().now(), 3us);
  EXPECT_EQ(s.work.copy_in(0, s.work.stream(), HostMemory::pageable), 3000u);
  EXPECT_EQ(s.device.clock().now(), 6us);  // here it does
}

}  // namespace
}  // namespace strobe

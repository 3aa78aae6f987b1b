// SPDX-License-Identifier: Apache-2.0
#include "measure/probe.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "testing/conductors.h"
#include "testing/contended_lock.h"
#include "testing/virtual_cpu.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

Probe probed(const char* text) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  return probe(work, SIZE_MAX, request, alone);
}

Probe probed_on_cpu(nanoseconds length) {
  VirtualCpu cpu;
  Callable work([&] { cpu.clock().sleep(length); }, cpu.stream(), 1);
  std::size_t request = 0;
  return probe(work, SIZE_MAX, request, alone);
}

double escaped(const char* text) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  return escaped_work(work, request, alone).value_or(-1);
}

TEST(Probe, TellsHandingOverFromCompletion) {
  const Probe p = probed("launch=1us,kernels=20x5us");
  EXPECT_EQ(p.submit, 20us);
  EXPECT_EQ(p.typical, 101us);
}

TEST(Probe, DoesNotTakeTheFirstRequestForATypicalOne) {
  const Probe p = probed("kernels=1x30ms,first=400ms");  // so slow that only two more are asked for
  EXPECT_EQ(p.first, 430ms);
  EXPECT_EQ(p.typical, 30ms);
  EXPECT_EQ(p.requests, 3u);
}

TEST(Probe, TakesNoRequestThatCompilesForATypicalOne) {
  VirtualCpu cpu;
  std::vector<nanoseconds> compiling{100ms, 300ms, 200ms};
  const auto request_takes = [&] {
    if (compiling.empty()) return nanoseconds(1ms);
    const nanoseconds t = compiling.back();
    compiling.pop_back();
    return t;
  };
  Callable work([&] { cpu.clock().sleep(request_takes()); }, cpu.stream(), 1);
  std::size_t request = 0;
  EXPECT_EQ(probe(work, SIZE_MAX, request, alone).typical, 1ms);
}

TEST(Probe, EndsWhereRequestsNeverAgree) {
  VirtualCpu cpu;
  std::size_t n = 0;
  Callable work([&] { cpu.clock().sleep(n++ % 2 == 0 ? 20ms : 80ms); }, cpu.stream(), 1);
  std::size_t request = 0;
  EXPECT_LE(probe(work, SIZE_MAX, request, alone).requests, 12u);
}

TEST(Probe, FillsTenMicrosecondsWithShortRequests) {
  const Probe p = probed_on_cpu(50ns);
  EXPECT_EQ(p.requests_per_sample, 200u);
  EXPECT_EQ(p.typical, 10us);
  EXPECT_EQ(probed_on_cpu(10us).requests_per_sample, 1u);
}

TEST(Probe, AsksForNoMoreRequestsThanItMay) {
  VirtualCpu cpu;
  Callable work([&] { cpu.clock().sleep(50ns); }, cpu.stream(), 1);
  std::size_t request = 0;
  EXPECT_EQ(probe(work, 5, request, alone).requests, 5u);
  EXPECT_EQ(request, 5u);
}

TEST(Probe, DoesNotTimeTheWaitForALock) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=20x5us"));
  testing::LockedWork work(std::make_unique<SimulatedWorkload>(device));
  testing::ContendedLock lock(device.clock());
  const LendWhileWaiting lend(lock);
  std::size_t request = 0;
  const Probe p = probe(work, SIZE_MAX, request, alone);
  EXPECT_EQ(p.submit, 20us);
  EXPECT_EQ(p.typical, 101us);
}

TEST(EscapedWork, IsNotTheCostOfWaiting) {
  EXPECT_EQ(escaped("launch=5us,kernels=20x1us,sync=6us"), 0);
  EXPECT_EQ(escaped("launch=5us,kernels=20x1us,sync=6us,escape=300us"), 193'000);  // 6 µs of it pass while waiting
}

}  // namespace
}  // namespace strobe

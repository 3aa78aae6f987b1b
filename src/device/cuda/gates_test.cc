// SPDX-License-Identifier: Apache-2.0
// The gate's word and its watchdog, on a fake driver: whatever happens inside, the stream goes on.
#include "device/cuda/gates.h"

#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "host/affinity.h"
#include "testing/fake_cuda.h"
#include "testing/thread_cpus.h"

namespace strobe::cuda {
namespace {

using testing::fake_cuda;
using testing::fake_driver;

TEST(Gates, DoNotSpinBesideAnotherProcess) {
  EXPECT_EQ(gate_forbidden({.wait_value = true, .other_processes = true}), "");
  EXPECT_EQ(gate_forbidden({.wait_value = false, .other_processes = false}), "");
  EXPECT_NE(gate_forbidden({.wait_value = false, .other_processes = true}), "");
}

TEST(Gates, HoldTheStreamUntilTheyAreOpened) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  Gate gate = device.hold(*stream, {.patience = 10s});
  const Mark a = stream->mark();
  EXPECT_THROW(stream->between(a, a), Error);  // not reached
  gate.open();
  stream->wait(a);
  EXPECT_EQ(stream->between(a, a), 0ns);
  EXPECT_FALSE(gate.tripped());
}

TEST(Gates, AreOpenedByTheWatchdogWhenSomethingInsideWaits) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  Gate gate = device.hold(*stream, {.patience = 30ms});
  stream->synchronize();  // hangs for good without a watchdog
  EXPECT_TRUE(gate.tripped());
}

TEST(Gates, AreOpenedByTheWatchdogWhenASecondStreamWaitsForTheirs) {
  CudaDevice device(fake_driver(), "0");
  const auto held = device.stream(), other = device.stream();
  Gate gate = device.hold(*held, {.patience = 30ms});
  other->synchronize();  // nothing ties it to the held one yet
  EXPECT_FALSE(gate.tripped());
  other->after(*held, held->mark());
  other->synchronize();
  EXPECT_TRUE(gate.tripped());
}

TEST(Gates, OpenWhenAnExceptionLeavesTheirScope) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  const auto begin = std::chrono::steady_clock::now();
  try {
    const Gate gate = device.hold(*stream, {.patience = 60s});
    throw Error(ErrorCode::failed, "inside");
  } catch (const Error&) {
  }
  stream->synchronize();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST(Gates, OpenedInTimeHaveNotTrippedAndLaterOnesCanStill) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  for (int i = 0; i < 100; ++i) {
    Gate gate = device.hold(*stream, {.patience = 10s});
    gate.open();
    gate.open();  // harmless
    stream->synchronize();
    ASSERT_FALSE(gate.tripped());
  }
  Gate gate = device.hold(*stream, {.patience = 20ms});
  stream->synchronize();
  EXPECT_TRUE(gate.tripped());
}

TEST(Gates, ThatWereOpenedInTimeDoNotTripLater) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  Gate gate = device.hold(*stream, {.patience = 200ms});
  gate.open();
  std::this_thread::sleep_for(300ms);  // the watchdog's time, not the simulation's
  EXPECT_FALSE(gate.tripped());
}

TEST(Gates, SpinWhereTheMethodAsksForThat) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  const int before = fake_cuda().kernel_launches;
  device.hold(*stream, {.kind = GateOptions::Kind::wait_value}).open();
  EXPECT_EQ(fake_cuda().kernel_launches, before);  // the stream itself waits
  device.hold(*stream, {.kind = GateOptions::Kind::spin}).open();
  EXPECT_EQ(fake_cuda().kernel_launches, before + 1);
}

// The thread that `act` starts.
template <class Act>
int started_by(Act&& act) {
  const auto before = testing::cpus_of_threads();
  act();
  for (const auto& [thread, cpus] : testing::cpus_of_threads()) {
    if (!before.contains(thread)) return thread;
  }
  return 0;
}

TEST(Gates, KeepTheirWatchdogOnTheCpusThatItIsTold) {
  if (testing::has_foreign_threads()) GTEST_SKIP() << "ThreadSanitizer has a thread, too";
  CudaDevice device(fake_driver(), "0");
  const std::vector<int> all = cpus_of_this_thread();
  const auto stream = device.stream();
  const int watchdog = started_by([&] { device.hold(*stream, {}).open(); });
  ASSERT_NE(watchdog, 0);
  EXPECT_EQ(testing::cpus_of_threads().at(watchdog), all);
  device.keep_threads_on({all.back()});
  EXPECT_EQ(testing::cpus_of_threads().at(watchdog), std::vector<int>{all.back()});
  device.keep_threads_on(all);
  EXPECT_EQ(testing::cpus_of_threads().at(watchdog), all);
}

TEST(Gates, StartTheirWatchdogElsewhereThanOnTheCpuOfAPinnedThread) {
  if (testing::has_foreign_threads()) GTEST_SKIP() << "ThreadSanitizer has a thread, too";
  CudaDevice device(fake_driver(), "0");
  const std::vector<int> all = cpus_of_this_thread();
  if (all.size() < 2) GTEST_SKIP() << "one CPU only";
  const auto stream = device.stream();
  device.keep_threads_on({all.back()});
  const Pin pin({all.front()});
  const int watchdog = started_by([&] { device.hold(*stream, {}).open(); });
  ASSERT_NE(watchdog, 0);
  EXPECT_EQ(testing::cpus_of_threads().at(watchdog), std::vector<int>{all.back()});
}

TEST(Gates, WaitForTheDeviceBeforeTheirWordGoes) {
  auto device = std::make_unique<CudaDevice>(fake_driver(), "0");
  const int before = fake_cuda().synchronized;
  device.reset();
  EXPECT_GT(fake_cuda().synchronized, before);
}

}  // namespace
}  // namespace strobe::cuda

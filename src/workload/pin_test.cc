// SPDX-License-Identifier: Apache-2.0
#include "workload/pin.h"

#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"
#include "host/affinity.h"
#include "testing/gpu_by_name.h"

namespace strobe {
namespace {

using testing::GpuByName;

TEST(PinRule, KeepsTheThreadOfAGpuOnOneCpuAndNoOther) {
  EXPECT_TRUE(pin_rule(GpuByName(), "auto").here);
  EXPECT_FALSE(pin_rule(GpuByName(), "off").here);
  EXPECT_FALSE(pin_rule(InlineDevice(), "auto").here);
  EXPECT_FALSE(pin_rule(SimulatedDevice(parse_sim("kernels=1x1us")), "auto").here);
}

TEST(PinRule, TakesTheCpusThatAreNamedAndRefusesThoseThatNobodyMayUse) {
  const int cpu = cpus_of_this_thread().back();
  const std::string twice = std::to_string(cpu) + "," + std::to_string(cpu);
  EXPECT_EQ(pin_rule(InlineDevice(), twice).cpus, std::vector<int>{cpu});
  for (const char* none : {"1000", "fast", "-1"}) {
    try {
      pin_rule(GpuByName(), none);
      FAIL() << none;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::usage);
      EXPECT_EQ(std::string(e.what()), std::string("cannot use --pin ") + none +
                                           ": it names no CPU that this process may use. Take auto, off, a CPU like 5 "
                                           "or a list like 0-3,8.");
    }
  }
}

// On a thread of its own: what it may use ends with it.
TEST(PlaceForLoading, LeavesTheThreadsOfAGpusRuntimeMoreThanTheCpuOfTheOneThatMeasures) {
  std::thread([] {
    const GpuByName gpu;
    const std::vector<int> all = cpus_of_this_thread();
    const std::string one = std::to_string(all.back());
    EXPECT_TRUE(place_for_loading(gpu, "auto").here);
    const std::vector<int> near = cpus_of_this_thread();
    EXPECT_EQ(place_for_loading(gpu, one).cpus, std::vector<int>{all.back()});
    EXPECT_EQ(cpus_of_this_thread(), near);
    place_for_loading(gpu, "off");
    EXPECT_EQ(cpus_of_this_thread(), all);
  }).join();
}

TEST(PlaceForLoading, KeepsEverythingOnAListAndOnTheCpuOnASingleOneToo) {
  std::thread([] {
    const std::vector<int> all = cpus_of_this_thread();
    const PinRule left = place_for_loading(InlineDevice(), std::to_string(all.front()));
    EXPECT_EQ(cpus_of_this_thread(), std::vector<int>{all.front()});
    EXPECT_TRUE(left.cpus.empty() && !left.here);
    if (all.size() < 2) GTEST_SKIP() << "one CPU only";
    const PinRule of_gpu = place_for_loading(GpuByName(), fmt::format("{},{}", all[0], all[1]));
    EXPECT_EQ(cpus_of_this_thread(), (std::vector<int>{all[0], all[1]}));
    EXPECT_TRUE(of_gpu.cpus.empty() && !of_gpu.here);
  }).join();
}

}  // namespace
}  // namespace strobe

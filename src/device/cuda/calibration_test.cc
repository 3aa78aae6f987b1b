// SPDX-License-Identifier: Apache-2.0
// Which figures there are and how they are taken, on a fake driver. What they are is a real GPU's matter.
#include "device/cuda/calibration.h"

#include <cstdlib>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

using testing::fake_cuda;
using testing::fake_driver;

// Each of its three quantities takes 100 µs to ask for.
class SlowBoard final : public Board {
 public:
  Scalars facts() const override { return {}; }
  std::optional<std::vector<unsigned>> processes() const override { return {}; }
  std::optional<double> busy() const override { return {}; }
  TelemetrySource telemetry() const override {
    return {{"a", "b", "c"}, [](std::span<double> row) { std::this_thread::sleep_for(row.size() * 100us); }};
  }
};

std::set<std::string> keys_of(CudaDevice& device, Depth depth) {
  std::set<std::string> keys;
  for (const auto& [key, value] : calibrate(device, depth)) keys.insert(key);
  return keys;
}

TEST(CudaCalibration, OfEveryRunIsShort) {
  CudaDevice device(fake_driver(), "0");
  EXPECT_EQ(keys_of(device, Depth::brief),
            (std::set<std::string>{"launch_ns", "kernel_pair_ns", "kernel_pair_idle_ns", "mark_pair_idle_ns",
                                   "elapsed_ns", "sync_after_work_ns", "sync_blocking_ns", "graph_launch_ns"}));
}

TEST(CudaCalibration, InFullAddsLargerGraphsTheBoardAndCopies) {
  const Driver driver = fake_driver();
  fake_cuda().memory = std::size_t{64} << 20;
  CudaDevice device(driver, "0", [](const Gpu&, std::string&) { return std::make_shared<SlowBoard>(); });
  const auto keys = keys_of(device, Depth::thorough);
  for (const char* key : {"graph_launch_1_ns", "graph_launch_100_ns", "graph_launch_1000_ns", "nvml_ns", "queue_depth",
                          "flush_ns", "copy_gbps"})
    EXPECT_TRUE(keys.contains(key)) << key;
  EXPECT_GE(calibrate(device, Depth::thorough).at("nvml_ns"), 100e3);
}

TEST(CudaCalibration, LeavesOutOnlyWhatNeedsTheGate) {
  CudaDevice device(fake_driver(), "0");
  auto without = keys_of(device, Depth::thorough);
  for (const char* key : {"kernel_pair_ns", "queue_depth", "stream_pause_ns", "flush_effect"}) without.erase(key);
  ::setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  const auto keys = keys_of(device, Depth::thorough);
  ::unsetenv("CUDA_LAUNCH_BLOCKING");
  EXPECT_EQ(keys, without);
  EXPECT_TRUE(keys.contains("launch_ns"));
}

// The fake has no cache to flush.
TEST(CudaCalibration, KnowsAFlushThatDoesNothing) {
  const Driver driver = fake_driver();
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE] = 1 << 20;
  CudaDevice device(driver, "0");
  EXPECT_NEAR(calibrate(device, Depth::thorough).at("flush_effect"), 1, 0.01);
}

TEST(CudaCalibration, WaitsOnceSpinningAndOnceBlocking) {
  CudaDevice device(fake_driver(), "0");
  calibrate(device, Depth::brief);
  EXPECT_EQ(fake_cuda().blocking_waits, 51);
}

// A mark advances the fake's clock by 1 µs.
TEST(CudaCalibration, ReadsMarksAroundNothing) {
  CudaDevice device(fake_driver(), "0");
  EXPECT_NEAR(calibrate(device, Depth::brief).at("mark_pair_idle_ns"), 1000, 1);
}

// Both marks of a copy are 1 µs apart on the fake, whatever it copies.
TEST(CudaCalibration, CountsWhatACopyReadsAndWhatItWrites) {
  const Driver driver = fake_driver();
  fake_cuda().memory = std::size_t{64} << 20;
  CudaDevice device(driver, "0");
  const double copied = static_cast<double>(fake_cuda().memory) / 4;
  EXPECT_NEAR(calibrate(device, Depth::thorough).at("copy_gbps"), 2 * copied / 1000, 0.01 * copied / 1000);
}

}  // namespace
}  // namespace strobe::cuda

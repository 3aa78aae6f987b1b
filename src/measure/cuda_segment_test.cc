// SPDX-License-Identifier: Apache-2.0
// Segments on a CUDA device with a fake driver.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/idle.h"
#include "measure/segment.h"
#include "testing/busy_board.h"
#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

// Writes down which request each call was for.
class Numbered final : public Workload {
 public:
  explicit Numbered(CudaDevice& device) : stream_(device.stream()) {}
  void submit(std::size_t request) override { submitted.push_back(request); }
  Stream& stream() override { return *stream_; }
  std::size_t input_sets() const override { return 2; }

  std::vector<std::size_t> submitted;

 private:
  std::unique_ptr<Stream> stream_;
};

std::vector<std::size_t> submitted(const Pass& pass, SegmentPlan plan) {
  CudaDevice device(testing::fake_driver(), "0");
  Numbered work(device);
  Samples samples;
  std::size_t request = 0;
  LocalConductor alone;
  plan.least = plan.most = 2;
  run_segment(work, pass, plan, alone, request, samples);
  return work.submitted;
}

// Each that is held comes after one with the other of its two input sets; the first sample is settling.
TEST(CudaGatedLoop, KeepsTheDeviceBusyWhileARequestIsQueued) {
  EXPECT_EQ(submitted(kDeviceTimePass, {}), (std::vector<std::size_t>{1, 0, 2, 1, 3, 2}));
}

TEST(CudaGatedLoop, PutsNothingAheadOfALongRequestOrInTheWayOfAFlush) {
  const std::vector<std::size_t> in_order{0, 1, 2};
  EXPECT_EQ(submitted(kDeviceTimePass, {.typical = 30ms}), in_order);
  EXPECT_EQ(submitted(kDeviceTimePass, {.ahead = false}), in_order);
  Pass cold = kDeviceTimePass;
  cold.method.cold = true;
  EXPECT_EQ(submitted(cold, {}), in_order);
  EXPECT_EQ(submitted(kLatencyPass, {}), in_order);
}

// Before the request by the board, which costs the GPU nothing; in it by the GPU's own counter, which would wake it.
TEST(CudaIdle, TellsClocksAndStatesBeforeAndAfterARequest) {
  CudaDevice device(testing::fake_driver(), "0", [](const Gpu&, std::string&) {
    return std::make_shared<testing::BusyBoard>(testing::BusyBoard::Pids{}, Scalars{}, PowerState{345, 8});
  });
  testing::fake_cuda().sm_mhz = 1755;
  Numbered work(device);
  LocalConductor alone;
  std::size_t request = 0;
  const IdleSamples s = measure_idle(work, {.pause = {1ms}, .requests = 2}, alone, request);
  EXPECT_EQ(s.before.device_mhz, 345);
  EXPECT_EQ(s.before.pstate, 8);
  EXPECT_NEAR(s.after.device_mhz.value(), 1755, 1e-6);
  EXPECT_EQ(s.after.pstate, 8);  // as this board has it
  EXPECT_EQ(work.submitted, (std::vector<std::size_t>{0, 1, 2, 3}));
}

// The clock is read in one request only: it would disturb the others.
TEST(CudaIdle, ReadsNoClockBetweenRequestsThatCount) {
  CudaDevice device(testing::fake_driver(), "0");
  Numbered work(device);
  LocalConductor alone;
  std::size_t request = 0;
  std::vector<std::string> kernels;
  testing::fake_cuda().kernels = &kernels;
  measure_idle(work, {.pause = {1ms}, .requests = 20}, alone, request);
  EXPECT_EQ(kernels.size(), 2u);  // one before that request, one after it
}

}  // namespace
}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// One pass on a CUDA device with a fake driver: what a profiler that waits for cuProfilerStart sees.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/one_pass.h"
#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

// Three kernels a request.
class ThreeKernels final : public Workload {
 public:
  explicit ThreeKernels(CudaDevice& device) : device_(device), stream_(device.stream()) {}
  void submit(std::size_t) override {
    for (int i = 0; i < 3; ++i) device_.kernels().empty(static_cast<CUstream>(stream_->native()));
  }
  Stream& stream() override { return *stream_; }

 private:
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
};

TEST(CudaOnePass, HasItsKernelsAndNoOthersBetweenTheProfilersStartAndStop) {
  CudaDevice device(testing::fake_driver(), "0");
  ThreeKernels work(device);
  const int before = testing::fake_cuda().kernel_launches;
  measure_one_pass(work, {.warmup = 5, .requests = 50, .pass = "latency"});
  const std::vector<int> wanted{before + 3 * 5, before + 3 * 55};
  EXPECT_EQ(testing::fake_cuda().profiler_calls, wanted);
  EXPECT_EQ(testing::fake_cuda().kernel_launches, wanted[1]);  // none after it, either
}

TEST(CudaOnePass, NeedsNoDriverThatKnowsOfProfilers) {
  Driver old = testing::fake_driver();
  old.profiler_start = old.profiler_stop = nullptr;
  CudaDevice device(old, "0");
  ThreeKernels work(device);
  EXPECT_EQ(measure_one_pass(work, {.requests = 4, .pass = "latency"}).passes.front().samples.size(), 4u);
}

}  // namespace
}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// The closed loop on a CUDA device with a fake driver, which refuses threads without a context.
#include <array>
#include <thread>

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/closed_loop.h"
#include "measure/segment.h"
#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

// Does nothing on the GPU but copy: no runtime sets a context on the loop's thread first.
class Copied final : public Workload {
 public:
  explicit Copied(CudaDevice& device)
      : stream_(device.stream()), host_(device.buffer(64, Place::pinned)), device_(device.buffer(64, Place::device)) {}

  void submit(std::size_t) override { std::this_thread::sleep_for(1ms); }
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return 1; }
  std::size_t input_sets() const override { return 2; }
  std::size_t copy_in(std::size_t, Stream& on, HostMemory) override {
    on.copy(device_.bytes(), host_.bytes());
    return 64;
  }
  std::size_t copy_out(std::size_t, Stream& on, HostMemory) override {
    on.copy(host_.bytes(), device_.bytes());
    return 64;
  }

 private:
  std::unique_ptr<Stream> stream_;
  Buffer host_, device_;
};

TEST(CudaClosedLoop, CopiesOnSeveralStreamsFromThreadsOfItsOwn) {
  CudaDevice device(testing::fake_driver(), "0");
  Copied a(device), b(device);
  const std::array<Workload*, 2> two{&a, &b};
  for (const Copies copies : {Copies::serial, Copies::overlapped}) {
    const LoopPlan plan{.in_flight = 2, .copies = copies, .shortest = 100ms, .longest = 100ms};
    EXPECT_GT(run_closed_loop(two, plan).requests, 0u);
  }
}

TEST(CudaClosedLoop, RecordsTwoTimesAStretchAndNoneOfEachRequest) {
  CudaDevice device(testing::fake_driver(), "0");
  Copied work(device);
  std::size_t request = 0;
  Samples samples;
  LocalConductor alone;
  for (const nanoseconds length : {10ms, 40ms}) {
    testing::fake_cuda().timed_events = 0;
    EXPECT_GT(run_segment(work, kPeriodPass, {.length = length}, alone, request, samples).kept, 5u);
    EXPECT_EQ(testing::fake_cuda().timed_events, 2);
  }
  testing::fake_cuda().timed_events = 0;
  const std::array<Workload*, 1> one{&work};
  const LoopPlan plan{.in_flight = 2, .copies = Copies::overlapped, .shortest = 50ms, .longest = 50ms};
  const std::size_t requests = run_closed_loop(one, plan).requests;
  EXPECT_LT(static_cast<std::size_t>(testing::fake_cuda().timed_events), requests);
}

}  // namespace
}  // namespace strobe::cuda

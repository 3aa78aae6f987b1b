// SPDX-License-Identifier: Apache-2.0
// Requests on a GPU under CUPTI, on a fake driver and a fake CUPTI whose device takes real time. STROBE_REWRITE_TRACE=1
// writes testing/traces/fake_gpu.json anew, which the tests of src/trace replay.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "host/file.h"
#include "measure/profile_requests.h"
#include "measure/trace_excess.h"
#include "testing/contains.h"
#include "testing/fake_cuda.h"
#include "testing/fake_cupti.h"
#include "trace/activity.h"
#include "trace/layer_times.h"
#include "workload/cuda_builtin.h"

namespace strobe {
namespace {

using testing::fake_cupti;

cuda::CudaDevice traced_device(const std::function<void()>& fault = [] {}) {
  const cuda::Driver driver = testing::fake_driver();
  cuda::Cupti table = testing::fake_cupti_table();
  fault();
  const auto no_board = [](const cuda::Gpu&, std::string&) { return std::shared_ptr<cuda::Board>(); };
  return {driver, "0", no_board, std::make_shared<cuda::CuptiSession>(std::move(table))};
}

ProfiledRequests profiled(cuda::CudaDevice& device, std::size_t requests = 4) {
  CudaSpins workload(device, {100us, 200us, 300us});
  LocalConductor conductor;
  return profile_requests(workload, {.requests = requests, .soak = 0ns}, conductor);
}

TEST(CudaTrace, TellsWhatTheDeviceDoesInARequest) {
  auto device = traced_device();
  const ProfiledRequests p = profiled(device);
  EXPECT_EQ(p.why_no_trace, "");
  EXPECT_EQ(p.trace.tracer, "CUPTI 130001");
  EXPECT_EQ(p.trace.records, 12u);
  EXPECT_EQ(p.trace.lost + p.trace.early + p.trace.differing_requests, 0u);
  ASSERT_EQ(p.requests.size(), 4u);
  nanoseconds longest_alone{};  // of the device: the host waits, once it has come to that
  for (const trace::RequestTrace& t : p.requests) {
    const trace::Activity a = trace::activity_of(t);
    EXPECT_EQ(a.kernels, 3u);
    EXPECT_GE(a.busy, 600us);
    EXPECT_LE(a.busy, 605us);  // 0.7 µs too long, the last one
    longest_alone = std::max(longest_alone, a.device_only);
    EXPECT_EQ(a.busy + a.starved + a.drained + a.pipeline, a.window);
  }
  EXPECT_GT(longest_alone, 400us);
}

TEST(CudaTrace, KnowsHowMuchTooLongEachKernelReads) {
  auto device = traced_device();
  for (const nanoseconds excess : {700ns, 1500ns}) {
    fake_cupti().excess = excess;
    const Tracing tracing = device.tracer();
    EXPECT_EQ(trace_excess(device, *tracing.tracer), to_double(excess));
  }
}

TEST(CudaTrace, DoesNotKnowItWhereRecordsOfTheKnownKernelsAreLost) {
  auto device = traced_device();
  const Tracing tracing = device.tracer();
  fake_cupti().untimed = 40;  // more than those that load the kernel
  EXPECT_FALSE(trace_excess(device, *tracing.tracer));
}

TEST(CudaTrace, CountsWhatIsLost) {
  auto device = traced_device();
  CudaSpins workload(device, {100us});
  LocalConductor conductor([n = 0]() mutable {
    if (++n == 3) fake_cupti().drop = 2;  // after the warm-up
    return false;
  });
  const ProfiledRequests p = profile_requests(workload, {.requests = 5, .soak = 0ns}, conductor);
  EXPECT_EQ(p.trace.lost, 2u);
  EXPECT_EQ(p.trace.records, 5u);
  EXPECT_EQ(p.trace.differing_requests, 2u);
  EXPECT_EQ(p.trace.first_difference, "0 pieces of work instead of 1");
}

TEST(CudaTrace, GoesOnWithoutOneWhereSomebodyElseHasCupti) {
  auto device = traced_device([] {
    fake_cupti().enable = cuda::CuptiResult::several_subscribers;
    fake_cupti().holder = "CUPTI for kineto";
  });
  const ProfiledRequests p = profiled(device);
  EXPECT_EQ(p.requests.size(), 4u);
  EXPECT_TRUE(testing::has(p.why_no_trace, "another profiler has CUPTI"));
  EXPECT_EQ(p.trace.held_by, "CUPTI for kineto");
  EXPECT_EQ(p.trace.tracer, "");
}

TEST(CudaTrace, IsNoneWhereTheClockWasSetMeanwhile) {
  auto device = traced_device();
  CudaSpins workload(device, {100us});
  LocalConductor conductor([n = 0]() mutable {
    if (++n == 4) fake_cupti().step = 50ms;
    return false;
  });
  const ProfiledRequests p = profile_requests(workload, {.requests = 5, .soak = 0ns}, conductor);
  EXPECT_TRUE(testing::has(p.why_no_trace, "agree to within 25.0 ms only")) << p.why_no_trace;
  EXPECT_EQ(p.requests.size(), 5u);
}

// Layers whose profiler saw the handing over alone.
class HandedOver final : public Workload {
 public:
  explicit HandedOver(cuda::CudaDevice& device) : spins_(device, {100us, 200us}) {}
  void submit(std::size_t request) override { spins_.submit(request); }
  Stream& stream() override { return spins_.stream(); }
  Profiling profile() override { return {std::make_unique<Profile>(*this), {}}; }

 private:
  class Profile final : public Profiled, private Workload {
   public:
    explicit Profile(HandedOver& of) : of_(of) {}
    Workload& workload() override { return *this; }
    std::vector<ProfiledRequest> take() override { return seen_; }
    std::string about() const override { return "a test"; }

   private:
    void submit(std::size_t request) override {
      const SteadyClock clock;
      const nanoseconds begin = clock.now();
      of_.submit(request);
      const nanoseconds length = clock.now() - begin;
      seen_.push_back({.length = length, .layers = {{"all", "Spin", "CUDA", 0ns, length}}, .at = begin});
    }
    Stream& stream() override { return of_.stream(); }

    HandedOver& of_;
    std::vector<ProfiledRequest> seen_;
  };

  CudaSpins spins_;
};

TEST(CudaTrace, GivesALayerTheKernelsThatWereHandedOverWithinIt) {
  auto device = traced_device();
  HandedOver workload(device);
  LocalConductor conductor;
  const ProfiledRequests p = profile_requests(workload, {.requests = 4, .soak = 0ns}, conductor);
  for (const trace::RequestTrace& t : p.requests) {
    const trace::LayerTimes times = trace::layer_times_on_device(t);
    ASSERT_EQ(times.layers.size(), 1u);
    EXPECT_EQ(times.layers[0].kernels, 2u);
    EXPECT_GE(times.layers[0].time, 300us);
    EXPECT_EQ(times.unattributed, 0ns);
  }
}

TEST(CudaTrace, IsTheSameWhenItIsReplayedFromAFile) {
  auto device = traced_device();
  ProfiledRequests p = profiled(device);
  p.recording.recording.source = "a fake driver and a fake CUPTI (130001): no GPU";
  const std::string text = trace::trace_json(p.recording);
  const auto replayed = trace::requests_of(trace::parse_trace(text));
  ASSERT_EQ(replayed.size(), p.requests.size());
  for (std::size_t i = 0; i < replayed.size(); ++i) {
    EXPECT_EQ(trace::activity_of(replayed[i]).busy, trace::activity_of(p.requests[i]).busy);
    EXPECT_EQ(trace::activity_of(replayed[i]).both, trace::activity_of(p.requests[i]).both);
  }
  if (std::getenv("STROBE_REWRITE_TRACE")) write_file(STROBE_SOURCE "/src/testing/traces/fake_gpu.json", text);
}

}  // namespace
}  // namespace strobe

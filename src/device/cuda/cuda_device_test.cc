// Strobe's side of CUDA, on a fake driver: what it refuses, what it types, what it cleans up. Readings are tested on a
// real GPU (tests/gpu_test.cc).
#include "device/cuda/cuda_device.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "device/cuda/graph.h"
#include "device/cuda/profiler.h"
#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

using testing::fake_cuda;
using testing::fake_driver;

ErrorCode code_of(const std::function<void()>& f, std::string* sentence = nullptr) {
  try {
    f();
  } catch (const Error& e) {
    if (sentence) *sentence = e.what();
    return e.code();
  }
  return ErrorCode::usage;
}

TEST(CudaDevice, IsChosenByIndexOrByTheBeginningOfItsUuid) {
  const Driver driver = fake_driver();
  fake_cuda().devices = 2;
  const auto gpus = list_gpus(driver);
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[1].uuid, "GPU-11111111-1111-1111-1111-111111111111");
  EXPECT_EQ(choose_gpu(gpus, "1").index, 1);
  EXPECT_EQ(choose_gpu(gpus, "GPU-1111").index, 1);
  std::string sentence;
  EXPECT_EQ(code_of([&] { choose_gpu(gpus, "2"); }, &sentence), ErrorCode::not_found);
  EXPECT_NE(sentence.find("cuda:1 (Fake GPU"), std::string::npos) << sentence;
  EXPECT_EQ(code_of([&] { choose_gpu(gpus, "GPU-"); }), ErrorCode::not_found);
}

TEST(CudaDevice, SaysThatAnotherProcessHoldsAnExclusiveDevice) {
  const Driver driver = fake_driver();
  fake_cuda().retain = CUDA_ERROR_DEVICE_UNAVAILABLE;
  std::string sentence;
  EXPECT_EQ(code_of([&] { CudaDevice(driver, "0"); }, &sentence), ErrorCode::failed);
  EXPECT_NE(sentence.find("another process holds it"), std::string::npos) << sentence;
}

TEST(CudaDevice, KnowsOnWhichOtherDevicesThisProcessHasAContext) {
  Driver driver = fake_driver();
  fake_cuda().devices = 3;
  const CudaDevice device(driver, "1");
  EXPECT_TRUE(device.others_in_use().empty());
  fake_cuda().also_active = 1;  // its own does not count
  EXPECT_TRUE(device.others_in_use().empty());
  fake_cuda().also_active = 2;
  EXPECT_EQ(device.others_in_use(), std::vector<std::string>{"cuda:2"});
  driver.primary_get_state = nullptr;
  EXPECT_TRUE(CudaDevice(driver, "1").others_in_use().empty());
}

TEST(CudaDevice, SaysHowMuchOfTheCacheIsSetAside) {
  Driver driver = fake_driver();
  EXPECT_FALSE(CudaDevice(driver, "0").info().facts.contains("persisting_l2_bytes"));
  fake_cuda().persisting_l2 = 1 << 20;
  EXPECT_EQ(std::get<std::int64_t>(CudaDevice(driver, "0").info().facts.at("persisting_l2_bytes")), 1 << 20);
  driver.ctx_get_limit = nullptr;
  EXPECT_FALSE(CudaDevice(driver, "0").info().facts.contains("persisting_l2_bytes"));
}

TEST(CudaDevice, MakesOutOfMemoryAnOrdinaryTypedError) {
  CudaDevice device(fake_driver(), "0");
  EXPECT_EQ(code_of([&] { device.buffer(std::size_t{1} << 40, Place::device); }), ErrorCode::out_of_memory);
  EXPECT_EQ(device.buffer(100, Place::device).bytes().size(), 100u);  // and it goes on
}

TEST(CudaDevice, CallsAContextLostOnlyAfterStickyErrors) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  fake_cuda().next_launch = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(code_of([&] { device.kernels().empty(nullptr); }), ErrorCode::device_lost);
  fake_cuda().next_launch = CUDA_ERROR_INVALID_VALUE;
  EXPECT_EQ(code_of([&] { device.kernels().empty(nullptr); }), ErrorCode::failed);
}

TEST(CudaDevice, ReleasesItsContext) {
  {
    CudaDevice device(fake_driver(), "0");
  }
  EXPECT_EQ(fake_cuda().contexts_released, 1);
}

TEST(CudaDevice, RefusesTheGateWhenLaunchesBlock) {
  ::setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
  const CudaDevice device(fake_driver(), "0");
  const std::string why = device.can().gate.why_not;
  ::setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
  EXPECT_NE(why.find("CUDA_LAUNCH_BLOCKING"), std::string::npos);
  EXPECT_TRUE(device.can().gate);
  ::unsetenv("CUDA_LAUNCH_BLOCKING");
}

TEST(CudaDevice, RefusesTheGateUnderAProfiler) {
  ::setenv("CUDA_INJECTION64_PATH", "/opt/tool.so", 1);
  const CudaDevice device(fake_driver(), "0");
  ::unsetenv("CUDA_INJECTION64_PATH");
  EXPECT_NE(device.can().gate.why_not.find("profiler"), std::string::npos);
  EXPECT_TRUE(device.info().facts.contains("profiler"));
}

TEST(Profiler, IsKnownByItsLibrariesNotByCupti) {
  EXPECT_EQ(profiler_in_maps("7f /opt/nsight/libToolsInjection64.so\n"), "Nsight Systems");
  EXPECT_EQ(profiler_in_maps("7f /usr/lib/libsanitizer-collection.so\n"), "compute-sanitizer");
  EXPECT_EQ(profiler_in_maps("7f /venv/nvidia/cu13/lib/libcupti.so.13\n"), "");
  EXPECT_EQ(tracer_in_status("Name:\tx\nTracerPid:\t42\n"), 42);
  EXPECT_EQ(tracer_in_status("Name:\tx\nTracerPid:\t0\n"), 0);
}

TEST(Capture, ThatThrowsIsEndedAndGivesTheReason) {
  CudaDevice device(fake_driver(), "0");
  std::string why;
  const Graph g = capture(device.driver(), nullptr, [] { throw Error(ErrorCode::failed, "it waits for itself"); }, why);
  EXPECT_FALSE(g);
  EXPECT_EQ(why, "it waits for itself");
  EXPECT_FALSE(fake_cuda().capturing);
  EXPECT_EQ(fake_cuda().captures_ended, 1);
}

TEST(Capture, ThatTheDriverInvalidatedGivesTheReason) {
  CudaDevice device(fake_driver(), "0");
  fake_cuda().end_capture = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  std::string why;
  EXPECT_FALSE(capture(device.driver(), nullptr, [] {}, why));
  EXPECT_NE(why.find("not accepted"), std::string::npos);
}

TEST(LoadDriver, SaysThatThereIsNoDriver) {
  std::string sentence;
  try {
    load_driver();
    GTEST_SKIP() << "this machine has an NVIDIA driver";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("cannot use CUDA"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// Strobe's side of CUDA, on a fake driver: what it refuses, what it types, what it cleans up. Readings are tested on a
// real GPU (tests/gpu_test.cc).
#include "device/cuda/cuda_device.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

#include "device/cuda/graph.h"
#include "device/cuda/profiler.h"
#include "testing/busy_board.h"
#include "testing/fake_cuda.h"

namespace strobe::cuda {
namespace {

using testing::BusyBoard;
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

TEST(CudaDevice, HasASentenceForEachWayToBeUnusable) {
  const Driver driver = fake_driver();
  const auto says = [&](ErrorCode code, std::string_view words) {
    std::string sentence;
    EXPECT_EQ(code_of([&] { CudaDevice(driver, "0"); }, &sentence), code) << words;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
    fake_cuda() = {};
  };
  fake_cuda().retain = CUDA_ERROR_DEVICE_UNAVAILABLE;
  says(ErrorCode::failed, "another process holds it");
  fake_cuda().retain = CUDA_ERROR_SYSTEM_NOT_READY;
  says(ErrorCode::failed, "fabric manager does not run");
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_MODE] = CU_COMPUTEMODE_PROHIBITED;
  fake_cuda().retain = CUDA_ERROR_UNKNOWN;
  says(ErrorCode::failed, "its compute mode is 'prohibited'");
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 6;
  says(ErrorCode::unsupported, "its compute capability is 6.1 and 7.0 is needed");
}

TEST(CudaDevice, KnowsOnWhichOtherDevicesThisProcessHasAContext) {
  Driver driver = fake_driver();
  fake_cuda().devices = 3;
  const CudaDevice device(driver, "1");
  EXPECT_TRUE(device.others_in_use().empty());
  fake_cuda().contexts[2] = 1;
  EXPECT_EQ(device.others_in_use(), std::vector<std::string>{"cuda:2"});
  driver.primary_get_state = nullptr;
  EXPECT_TRUE(CudaDevice(driver, "1").others_in_use().empty());
}

TEST(CudaDevice, SaysHowMuchOfTheCacheIsSetAsideWhenThatIsNotTheDriversOwnDoing) {
  Driver driver = fake_driver();
  fake_cuda().persisting_l2 = 11'796'480;  // what an H200 has by itself
  {
    const CudaDevice device(driver, "0");
    EXPECT_FALSE(device.info().facts.contains("persisting_l2_bytes"));
    fake_cuda().persisting_l2 = 1 << 20;  // a runtime or the caller
    EXPECT_EQ(std::get<std::int64_t>(device.info().facts.at("persisting_l2_bytes")), 1 << 20);
  }
  driver.ctx_get_limit = nullptr;
  EXPECT_FALSE(CudaDevice(driver, "0").info().facts.contains("persisting_l2_bytes"));
}

TEST(CudaDevice, CannotTellWhoSetTheCacheAsideInAContextThatWasThereBefore) {
  const Driver driver = fake_driver();
  fake_cuda().contexts[0] = 1;
  EXPECT_FALSE(CudaDevice(driver, "0").info().facts.contains("persisting_l2_bytes"));
  fake_cuda().persisting_l2 = 1 << 20;
  EXPECT_EQ(std::get<std::int64_t>(CudaDevice(driver, "0").info().facts.at("persisting_l2_bytes")), 1 << 20);
}

Scalars facts_beside(const Driver& driver, const BusyBoard::Pids& pids) {
  const CudaDevice device(driver, "0", [&](const Gpu&, std::string&) { return std::make_shared<BusyBoard>(pids); });
  return device.info().facts;
}

TEST(CudaDevice, CountsTheOtherProcessesOnTheBoard) {
  const Scalars facts = facts_beside(fake_driver(), {{101, 102}});
  EXPECT_EQ(std::get<std::int64_t>(facts.at("other_processes")), 2);
  EXPECT_EQ(std::get<double>(facts.at("busy_before")), 0.5);
}

TEST(CudaDevice, DoesNotCountThisProcessWhichHadAContextBefore) {
  const Driver driver = fake_driver();
  const CudaDevice first(driver, "0");
  const auto own = static_cast<unsigned>(::getpid());
  for (const std::vector<unsigned>& listed : {std::vector{own}, {own + 1}})  // the latter in a container
    EXPECT_EQ(std::get<std::int64_t>(facts_beside(driver, listed).at("other_processes")), 0);
  const Scalars facts = facts_beside(driver, {{own, own + 1}});
  EXPECT_EQ(std::get<std::int64_t>(facts.at("other_processes")), 1);
  EXPECT_FALSE(facts.contains("busy_before"));  // it may be our own load
}

TEST(CudaDevice, DoesNotTakeUnknownProcessesForNone) {
  EXPECT_FALSE(facts_beside(fake_driver(), std::nullopt).contains("other_processes"));
}

TEST(CudaDevice, HasTheNameThatItsBoardGivesAnInstance) {
  const Scalars named{{"uuid", std::string("MIG-10101010")}};
  const CudaDevice device(fake_driver(), "0", [&](const Gpu&, std::string&) {
    return std::make_shared<BusyBoard>(std::vector<unsigned>{}, named);
  });
  EXPECT_EQ(std::get<std::string>(device.info().facts.at("uuid")), "MIG-10101010");
  EXPECT_TRUE(std::get<std::string>(CudaDevice(fake_driver(), "0").info().facts.at("uuid")).starts_with("GPU-"));
}

TEST(Nvml, ListsMoreProcessesThanThereWasRoomFor) {
  nvmlReturn_t then = NVML_SUCCESS;
  const auto list = [&](unsigned* count, nvmlProcessInfo_t* infos) {
    constexpr unsigned kThere = 200;
    if (std::exchange(*count, kThere) < kThere) return NVML_ERROR_INSUFFICIENT_SIZE;
    for (unsigned i = 0; i < kThere; ++i) infos[i].pid = i;
    return then;
  };
  EXPECT_EQ(all_processes(list).value().size(), 200u);
  then = NVML_ERROR_NO_PERMISSION;
  EXPECT_FALSE(all_processes(list));
}

TEST(Nvml, CountsForHowLongClocksWereLowered) {
  nvmlReturn_t power_cap = NVML_SUCCESS;
  const auto fields = [&](int n, nvmlFieldValue_t* values) {
    for (int i = 0; i < n; ++i) {
      const bool wide = values[i].fieldId == NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP;
      values[i].valueType = wide ? NVML_VALUE_TYPE_UNSIGNED_LONG_LONG : NVML_VALUE_TYPE_UNSIGNED_INT;
      values[i].nvmlReturn = wide ? power_cap : NVML_SUCCESS;
      if (wide)
        values[i].value.ullVal = 5'000'000'000;
      else
        values[i].value.uiVal = values[i].fieldId;
    }
    return NVML_SUCCESS;
  };
  std::array<double, kThrottleShares.size()> row{};
  read_throttle_counters(fields, row);
  EXPECT_EQ(row, (std::array<double, 4>{269, 270, 271, 5e9}));
  power_cap = NVML_ERROR_NOT_SUPPORTED;
  read_throttle_counters(fields, row);
  EXPECT_TRUE(std::all_of(row.begin(), row.end(), [](double x) { return std::isnan(x); }));
}

TEST(CudaDevice, MakesTheCallersContextCurrentAgain) {
  const Driver driver = fake_driver();
  fake_cuda().devices = 2;
  const auto current = [&] {
    CUcontext c = nullptr;
    driver.ctx_get_current(&c);
    return c;
  };
  auto callers = reinterpret_cast<CUcontext>(0x7000), theirs = reinterpret_cast<CUcontext>(0x8000);
  driver.ctx_set_current(callers);
  auto first = std::make_unique<CudaDevice>(driver, "1"), second = std::make_unique<CudaDevice>(driver, "1");
  const CUcontext ours = current();
  EXPECT_NE(ours, callers);
  first.reset();
  EXPECT_EQ(current(), ours);  // the second is still in use
  second.reset();
  EXPECT_EQ(current(), callers);
  first = std::make_unique<CudaDevice>(driver, "1");
  driver.ctx_set_current(theirs);
  first.reset();
  EXPECT_EQ(current(), theirs);
}

TEST(CudaDevice, SaysThatAStreamBelongsToAnotherDevice) {
  Driver driver = fake_driver();
  fake_cuda().devices = 2;
  auto* const stream = reinterpret_cast<CUstream>(0x9000);
  fake_cuda().owners[stream] = 1;
  std::string sentence;
  EXPECT_EQ(code_of([&] { CudaDevice(driver, "0").adopt(stream); }, &sentence), ErrorCode::usage);
  EXPECT_NE(sentence.find("it belongs to another device"), std::string::npos) << sentence;
  EXPECT_NO_THROW(CudaDevice(driver, "1").adopt(stream));
  driver.stream_get_ctx = nullptr;
  EXPECT_NO_THROW(CudaDevice(driver, "0").adopt(stream));
}

TEST(CudaDevice, IsUsableOnAThreadThatHasSaidSo) {
  CudaDevice device(fake_driver(), "0");
  std::jthread([&, thread = device.host_thread()] {
    EXPECT_EQ(code_of([&] { device.stream(); }), ErrorCode::failed);
    thread->begin();
    EXPECT_NO_THROW(device.stream());
  });
}

TEST(CudaDevice, MakesOutOfMemoryAnOrdinaryTypedError) {
  CudaDevice device(fake_driver(), "0");
  EXPECT_EQ(code_of([&] { device.buffer(std::size_t{1} << 40, Place::device); }), ErrorCode::out_of_memory);
  EXPECT_EQ(device.buffer(100, Place::device).bytes().size(), 100u);  // and it goes on
}

TEST(CudaDevice, CallsAContextLostOnlyAfterStickyErrors) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  for (const CUresult broken : {CUDA_ERROR_ILLEGAL_ADDRESS, static_cast<CUresult>(226), static_cast<CUresult>(721),
                                CUDA_ERROR_MPS_CLIENT_TERMINATED, CUDA_ERROR_EXTERNAL_DEVICE, CUDA_ERROR_UNKNOWN}) {
    fake_cuda().next_launch = broken;
    EXPECT_EQ(code_of([&] { device.kernels().empty(nullptr); }), ErrorCode::device_lost) << broken;
  }
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

TEST(CudaDevice, RefusesOnlyTheGateThatSpinsBesideAnotherProcess) {
  const CudaDevice device(fake_driver(), "0",
                          [](const Gpu&, std::string&) { return std::make_shared<BusyBoard>(std::vector{101U}); });
  EXPECT_TRUE(device.can().gate);
  EXPECT_NE(device.can().spin_gate.why_not.find("another process"), std::string::npos);
  EXPECT_TRUE(CudaDevice(fake_driver(), "0").can().spin_gate);
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

TEST(LoadDriver, HasASentenceForEachWayToHaveNoUsableGpu) {
  const Driver driver = fake_driver();
  const auto says = [](const std::function<void()>& f, ErrorCode code, std::string_view words) {
    std::string sentence;
    EXPECT_EQ(code_of(f, &sentence), code) << words;
    EXPECT_NE(sentence.find("cannot use CUDA"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  };
  const auto init = [&](CUresult r, const char* visible) {
    return [&, r, visible] { refuse_init(driver, r, visible); };
  };
  says([] { refuse_version(11080); }, ErrorCode::unsupported, "the driver supports CUDA 11.8 and 12.0 is needed");
  says(init(CUDA_ERROR_NO_DEVICE, nullptr), ErrorCode::not_found, "the driver is here, but it sees no GPU");
  says(init(CUDA_ERROR_NO_DEVICE, "7"), ErrorCode::not_found, "CUDA_VISIBLE_DEVICES='7' leaves no GPU visible");
  says(init(CUDA_ERROR_NO_DEVICE, ""), ErrorCode::not_found, "CUDA_VISIBLE_DEVICES='' leaves no GPU visible");
  says(init(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, nullptr), ErrorCode::unsupported, "differ in version");
  says(init(CUDA_ERROR_SYSTEM_NOT_READY, nullptr), ErrorCode::failed, "fabric manager does not run");
  says(init(CUDA_ERROR_NOT_PERMITTED, nullptr), ErrorCode::failed, "the driver does not start: CUDA_ERROR_FAKE");
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

std::optional<std::uint64_t> kernels_of_three(const Driver& driver) {
  CudaDevice device(driver, "0");
  const auto stream = device.stream();
  return device.count_kernels(*stream, [&] {
    for (int i = 0; i < 3; ++i) device.kernels().empty(static_cast<CUstream>(stream->native()));
  });
}

TEST(CountKernels, LooksForThemAmongTheNodesOfACapture) {
  EXPECT_EQ(kernels_of_three(fake_driver()), 3u);
}

TEST(CountKernels, KnowsNothingWhereTheDriverDoesNotTell) {
  Driver old = fake_driver();
  old.graph_get_nodes = nullptr;
  EXPECT_EQ(kernels_of_three(old), std::nullopt);
}

// What a user's callable throws must not leave the stream in capture mode.
TEST(CountKernels, EndsTheCaptureOfWorkThatThrows) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  const auto throwing = [] { throw std::runtime_error("not today"); };
  EXPECT_EQ(device.count_kernels(*stream, throwing), std::nullopt);
  EXPECT_EQ(fake_cuda().captures_ended, 1);
}

TEST(Capture, LeavesNoGraphBehind) {
  CudaDevice device(fake_driver(), "0");
  std::string why;
  capture(device.driver(), nullptr, [&] { device.kernels().empty(nullptr); }, why);
  EXPECT_EQ(fake_cuda().graphs_destroyed, 1);  // what was made of it stays
  capture(device.driver(), nullptr, [] { throw Error(ErrorCode::failed, "it waits for itself"); }, why);
  EXPECT_EQ(fake_cuda().graphs_destroyed, 2);
}

TEST(CudaDevice, UsesTheOldestGpuThatItsKernelsAreWrittenFor) {
  const Driver driver = fake_driver();
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 7;
  EXPECT_NO_THROW(CudaDevice(driver, "0"));
}

TEST(CudaDevice, SaysWhichVersionOfCudaTheDriverHas) {
  Driver driver = fake_driver();
  driver.version = 12040;
  EXPECT_EQ(std::get<std::string>(CudaDevice(driver, "0").info().facts.at("cuda")), "12.4");
}

TEST(CudaDevice, DestroysItsOwnStreamsAndNoneThatItOnlyAdopted) {
  CudaDevice device(fake_driver(), "0");
  fake_cuda().streams_destroyed.clear();
  auto* const callers = reinterpret_cast<CUstream>(0x9000);
  device.adopt(callers).reset();
  EXPECT_TRUE(fake_cuda().streams_destroyed.empty());
  auto own = device.stream();
  const auto native = static_cast<CUstream>(own->native());
  own.reset();
  EXPECT_EQ(fake_cuda().streams_destroyed, std::vector{native});
}

TEST(CudaDevice, KnowsHowLargeItsCacheIsWhereTheDriverTells) {
  const Driver driver = fake_driver();
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE] = 50 << 20;
  EXPECT_EQ(CudaDevice(driver, "0").last_level_cache(), Bytes{50 << 20});
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE] = 0;
  EXPECT_FALSE(CudaDevice(driver, "0").last_level_cache());
}

TEST(CudaDevice, FlushesTwiceWhatItsCacheHolds) {
  const Driver driver = fake_driver();
  constexpr std::size_t kCache = std::size_t{50} << 20;
  fake_cuda().attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE] = static_cast<int>(kCache);
  CudaDevice device(driver, "0");
  const auto stream = device.stream();
  device.flush_cache(*stream);
  EXPECT_EQ(fake_cuda().largest_allocation, 2 * kCache);
}

TEST(CudaDevice, FlushesByWritingFirstAndReadingLast) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  std::vector<std::string> kernels;
  fake_cuda().kernels = &kernels;
  device.flush_cache(*stream);
  EXPECT_EQ(kernels, (std::vector<std::string>{"strobe_write", "strobe_read"}));
}

TEST(CudaDevice, TellsTheClockOfItsProcessorsInMegahertz) {
  CudaDevice device(fake_driver(), "0");
  const auto stream = device.stream();
  device.counters().begin(*stream);
  EXPECT_FALSE(device.counters().end(*stream).mhz);  // the kernel has stored nothing
  fake_cuda().sm_mhz = 1755;
  device.counters().begin(*stream);
  EXPECT_NEAR(device.counters().end(*stream).mhz.value(), 1755, 1e-6);
}

TEST(CudaDevice, TellsHowAwakeItsBoardIs) {
  const auto board = [](const Gpu&, std::string&) {
    return std::make_shared<BusyBoard>(BusyBoard::Pids{}, Scalars{}, PowerState{345, 8});
  };
  CudaDevice device(fake_driver(), "0", board);
  EXPECT_EQ(device.power_state().mhz, 345);
  EXPECT_EQ(device.power_state().level, 8);
  const auto none = [](const Gpu&, std::string&) { return std::shared_ptr<Board>(); };
  EXPECT_FALSE(CudaDevice(fake_driver(), "0", none).power_state().level);
}

TEST(PState, IsUnknownWhereNvmlDoesNotTell) {
  EXPECT_EQ(p_state(NVML_SUCCESS, NVML_PSTATE_0), 0);
  EXPECT_EQ(p_state(NVML_SUCCESS, NVML_PSTATE_8), 8);
  EXPECT_FALSE(p_state(NVML_SUCCESS, NVML_PSTATE_UNKNOWN));
  EXPECT_FALSE(p_state(NVML_ERROR_NOT_SUPPORTED, NVML_PSTATE_0));
}

}  // namespace
}  // namespace strobe::cuda

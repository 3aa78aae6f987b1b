// SPDX-License-Identifier: Apache-2.0
// Recording by CUPTI on a fake driver and a fake CUPTI: what is asked of it, what is made of its records, and how each
// way in which it fails is said. What it costs and how exact it is, only a GPU can tell.
#include "device/cuda/cupti.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "device/cuda/cupti_decode.h"
#include "device/cuda/graph.h"
#include "host/library.h"
#include "testing/contains.h"
#include "testing/fake_cuda.h"
#include "testing/fake_cupti.h"
#include "trace/activity.h"

namespace strobe::cuda {
namespace {

using testing::fake_cuda;
using testing::fake_cupti;

// A device whose work is recorded by the fake.
struct Traced {
  explicit Traced(const std::function<void()>& before = [] {})
      : driver(testing::fake_driver()), device(driver, "0", no_board, begin(before)), stream(device.stream()) {}

  static std::shared_ptr<Board> no_board(const Gpu&, std::string&) { return nullptr; }
  static std::shared_ptr<CuptiSession> begin(const std::function<void()>& before) {
    Cupti table = testing::fake_cupti_table();
    before();
    return std::make_shared<CuptiSession>(std::move(table));
  }
  void spin(nanoseconds length, Stream& on) { device.kernels().spin(static_cast<CUstream>(on.native()), length, 0); }

  Driver driver;
  CudaDevice device;
  std::unique_ptr<Stream> stream;
};

TEST(CuptiTracer, TellsOfEachKernelWithTheCallThatHandedItOver) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  ASSERT_TRUE(tracing.tracer) << tracing.why_not;
  const nanoseconds begin = t.device.clock().now();
  t.spin(20us, *t.stream);
  t.spin(50us, *t.stream);
  t.stream->synchronize();
  const nanoseconds end = t.device.clock().now();
  const trace::Recording r = tracing.tracer->take();
  EXPECT_EQ(r.source, "CUPTI 130001");
  const trace::Joined all = trace::join(r);
  ASSERT_EQ(all.work.size(), 2u);
  EXPECT_EQ(all.work[0].name, "strobe_spin");
  EXPECT_EQ(all.work[0].when.length(), 20us + fake_cupti().excess);
  EXPECT_EQ(all.work[1].when.length(), 50us + fake_cupti().excess);
  EXPECT_EQ(all.work[0].queued - all.work[0].submitted, 2us);  // the runtime's call, not the driver's within it
  EXPECT_GE(all.work[0].submitted, begin - 10us);
  EXPECT_LE(all.work[1].when.end, end + 10us);
  EXPECT_GE(all.work[1].when.begin, all.work[0].when.end - fake_cupti().excess);
  EXPECT_LE(trace::clock_error(r), 10us);
  EXPECT_EQ(all.early + all.untimed + all.without_call, 0u);
}

TEST(CuptiTracer, KnowsWhenTheHostWaits) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  t.spin(20ms, *t.stream);
  t.stream->synchronize();
  nanoseconds waited{};
  for (const trace::HostCall& c : trace::join(tracing.tracer->take()).calls)
    waited += c.kind == trace::HostCall::Kind::wait ? c.when.length() : 0ns;
  EXPECT_GT(waited, 5ms);
  EXPECT_LE(waited, 1s);
}

double concurrency_of_two_spins(Traced& t, Stream& other, Tracer& tracer) {
  const nanoseconds begin = t.device.clock().now();
  t.spin(5ms, *t.stream);
  t.spin(5ms, other);
  t.device.synchronize();
  const Interval window{begin, t.device.clock().now()};
  return trace::activity_of(trace::place(trace::join(tracer.take()), {&window, 1}).front()).concurrency();
}

// Were records of kernels serial, or their times those of a queue, this would read 1. The best of three: this thread
// may lose its CPU between the launches.
TEST(CuptiTracer, ShowsSpinsOnTwoStreamsBesideEachOther) {
  Traced t;
  fake_cupti().excess = 0ns;
  const auto other = t.device.stream();
  const Tracing tracing = t.device.tracer();
  double best = 0;
  for (int i = 0; i < 3; ++i) best = std::max(best, concurrency_of_two_spins(t, *other, *tracing.tracer));
  EXPECT_NEAR(best, 2.0, 0.05);
}

TEST(CuptiTracer, TellsCopiesFromKernels) {
  Traced t;
  const Buffer device = t.device.buffer(64, Place::device), host = t.device.buffer(64, Place::pinned);
  const Tracing tracing = t.device.tracer();
  t.stream->copy(host.bytes(), device.bytes());
  t.stream->synchronize();
  const trace::Recording r = tracing.tracer->take();
  ASSERT_EQ(r.work.size(), 1u);
  EXPECT_EQ(r.work[0].kind, trace::DeviceWork::Kind::copy);
  EXPECT_EQ(r.work[0].name, "copy to host");
  EXPECT_EQ(r.work[0].bytes, 64u);
}

TEST(CuptiTracer, GivesAGraphsKernelsTheCallThatLaunchedTheGraph) {
  Traced t;
  std::string why;
  const auto native = static_cast<CUstream>(t.stream->native());
  const Graph graph = capture(
      t.device.driver(), native,
      [&] {
        for (int i = 0; i < 3; ++i) t.spin(10us, *t.stream);
      },
      why);
  const Tracing tracing = t.device.tracer();
  graph.launch(native);
  t.stream->synchronize();
  const trace::Joined all = trace::join(tracing.tracer->take());
  ASSERT_EQ(all.work.size(), 3u);
  EXPECT_EQ(all.work[0].submitted, all.work[2].submitted);
}

TEST(CuptiTracer, TakesEachRecordOnce) {
  Traced t;
  t.spin(10us, *t.stream);
  const Tracing tracing = t.device.tracer();
  t.spin(20us, *t.stream);
  EXPECT_EQ(tracing.tracer->take().work.size(), 1u);  // what was before is not its
  EXPECT_EQ(tracing.tracer->take().work.size(), 0u);
}

TEST(CuptiTracer, LeavesWorkOfOtherDevicesOut) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().device = 1;
  t.spin(20us, *t.stream);
  EXPECT_TRUE(tracing.tracer->take().work.empty());
}

TEST(CuptiTracer, PutsRecordsInOrder) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().reversed = true;
  for (const nanoseconds length : {10us, 20us, 30us}) t.spin(length, *t.stream);
  const trace::Joined all = trace::join(tracing.tracer->take());
  ASSERT_EQ(all.work.size(), 3u);
  EXPECT_LT(all.work[0].when.length(), all.work[1].when.length());
  EXPECT_LT(all.work[1].when.length(), all.work[2].when.length());
}

TEST(CuptiTracer, CountsWhatWasDropped) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().drop = 2;
  for (int i = 0; i < 5; ++i) t.spin(10us, *t.stream);
  const trace::Recording r = tracing.tracer->take();
  EXPECT_EQ(r.dropped, 2u);
  EXPECT_EQ(r.work.size(), 3u);
}

TEST(CuptiTracer, TakesNoTimeOfZeroForATime) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().untimed = 1;
  for (int i = 0; i < 3; ++i) t.spin(10us, *t.stream);
  const trace::Joined all = trace::join(tracing.tracer->take());
  EXPECT_EQ(all.untimed, 1u);
  EXPECT_EQ(all.work.size(), 2u);
}

TEST(CuptiTracer, CountsKernelsThatBeginBeforeTheirCall) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().early = 400ns;
  t.spin(10us, *t.stream);
  const trace::Joined all = trace::join(tracing.tracer->take());
  EXPECT_EQ(all.early, 1u);
  EXPECT_EQ(all.earliest, 400ns);
  EXPECT_EQ(all.work.size(), 1u);
}

TEST(CuptiTracer, RefusesAClockThatWasSetMeanwhile) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  fake_cupti().step = 50ms;
  try {
    tracing.tracer->take();
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(testing::has(e.what(), "CUPTI's clock and the host's agree to within 25.0 ms only")) << e.what();
  }
}

// More than the buffers that were made beforehand hold.
TEST(CuptiTracer, FindsRoomForManyRecords) {
  Traced t;
  const Tracing tracing = t.device.tracer();
  constexpr std::size_t kMany = 100'000;
  for (std::size_t i = 0; i < kMany; ++i) t.spin(0ns, *t.stream);
  const trace::Recording r = tracing.tracer->take();
  EXPECT_EQ(r.dropped, 0u);
  EXPECT_EQ(r.work.size(), kMany);
}

TEST(CuptiSession, RecordsNothingOnceItHasEnded) {
  {
    const Traced t;
    EXPECT_TRUE(fake_cupti().kinds.contains(CuptiKind::kernel));
    EXPECT_FALSE(fake_cupti().kinds.contains(static_cast<CuptiKind>(3)));  // which would run them one after the other
  }
  EXPECT_TRUE(fake_cupti().kinds.empty());
}

TEST(CuptiSession, IsOneAtATime) {
  const Traced t;
  EXPECT_EQ(CuptiSession(Cupti()).why_not(), "another device of this process is traced already");
}

std::string why_not(const std::function<void()>& fault, std::string* held_by = nullptr) {
  Traced t(fault);
  const Tracing tracing = t.device.tracer();
  EXPECT_FALSE(tracing.tracer);
  if (held_by) *held_by = tracing.held_by;
  return tracing.why_not;
}

TEST(CuptiSession, NamesWhoHasCuptiAlready) {
  std::string held_by;
  EXPECT_EQ(why_not(
                [] {
                  fake_cupti().enable = CuptiResult::several_subscribers;
                  fake_cupti().holder = "CUPTI for kineto";
                },
                &held_by),
            "another profiler has CUPTI (CUPTI for kineto)");
  EXPECT_EQ(held_by, "CUPTI for kineto");
  EXPECT_EQ(fake_cupti().subscribed, 0);
}

TEST(CuptiSession, SaysWhatPermissionIsMissing) {
  std::string held_by;
  EXPECT_TRUE(testing::has(why_not([] { fake_cupti().enable = CuptiResult::insufficient_privileges; }, &held_by),
                           "is not permitted"));
  EXPECT_EQ(held_by, "");
  EXPECT_EQ(why_not([] { fake_cupti().enable = CuptiResult::confidential_computing; }),
            "CUPTI cannot record: CUPTI_ERROR_FAKE");
}

TEST(CuptiSession, IsNotBegunBesideAnAttachedProfiler) {
  const auto session = CuptiSession::begin("Nsight Systems is loaded");
  EXPECT_TRUE(testing::has(session->why_not(), "Nsight Systems is loaded"));
  EXPECT_EQ(session->held_by(), "Nsight Systems is loaded");
}

TEST(CuptiSession, OfNoLibraryGivesItsReason) {
  testing::fake_driver();
  Cupti none;
  none.why_not = "libcupti was not found";
  CudaDevice device(testing::fake_driver(), "0", Traced::no_board, std::make_shared<CuptiSession>(none));
  EXPECT_EQ(device.tracer().why_not, "libcupti was not found");
  EXPECT_EQ(CudaDevice(testing::fake_driver(), "0").tracer().why_not, "this device was not opened for tracing");
}

std::filesystem::path library_in_environment() {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const fs::directory_entry& python : fs::directory_iterator(STROBE_SOURCE "/.venv/lib", none)) {
    const fs::path file = python.path() / "site-packages/nvidia/cu13/lib/libcupti.so.13";
    if (fs::exists(file, none)) return file;
  }
  return {};
}

// It needs no GPU to say who it is and what time it is.
TEST(Cupti, OfNvidiasPackageHasEveryFunctionAndAClock) {
  const std::filesystem::path file = library_in_environment();
  if (file.empty()) GTEST_SKIP() << "CUPTI is not in .venv ('make torch' brings it)";
  ::setenv("STROBE_CUPTI", file.c_str(), 1);
  const Cupti c = load_cupti();
  ::unsetenv("STROBE_CUPTI");
  ASSERT_TRUE(c.usable()) << c.why_not;
  EXPECT_GE(c.version, kOldestCupti);
  EXPECT_EQ(c.file.filename(), "libcupti.so.13");
  EXPECT_TRUE(c.set_thread_id_type && c.callback_name && c.subscribe && c.unsubscribe);
  std::uint64_t t = 0;
  EXPECT_EQ(c.get_timestamp(&t), CuptiResult::success);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LT(std::chrono::abs(now - std::chrono::nanoseconds(static_cast<std::int64_t>(t))), std::chrono::seconds(1));
  EXPECT_EQ(load_cupti().file, c.file);  // the one that is loaded, by name
  EXPECT_EQ(describe(c, CuptiResult::several_subscribers), "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED");
}

TEST(Cupti, IsRefusedWhereItIsTooOld) {
  EXPECT_EQ(refuse_cupti_version(130001), "");
  EXPECT_EQ(refuse_cupti_version(130000),
            "CUPTI of version 130000 is here, and 130001 (that of CUDA 13.0 update 1) or newer is needed");
  EXPECT_NE(refuse_cupti_version(26), "");  // of CUDA 12.6
}

TEST(Cupti, IsNotUsedFromAFileThatIsAnotherLibrary) {
  if (Library::opened("libcupti.so.13")) GTEST_SKIP() << "it is loaded already";
  ::setenv("STROBE_CUPTI", "libc.so.6", 1);
  const Cupti c = load_cupti();
  ::unsetenv("STROBE_CUPTI");
  EXPECT_TRUE(testing::has(c.why_not, "is not CUPTI")) << c.why_not;
}

TEST(CudaDevice, ClosesNoGateWhileItIsTraced) {
  const Traced t;
  EXPECT_TRUE(testing::has(t.device.can().gate.why_not, "CUPTI, by Strobe itself"));
}

TEST(ReadableKernel, HasNeitherItsTypeNorItsParameters) {
  EXPECT_EQ(readable_kernel("_ZN2at6native6kernelILi4EEEvPFivEi"), "at::native::kernel<4>");
  EXPECT_EQ(readable_kernel("strobe_spin"), "strobe_spin");
  EXPECT_EQ(readable_kernel("sm90_xmma_gemm_f32f32_tn_n"), "sm90_xmma_gemm_f32f32_tn_n");
  EXPECT_EQ(readable_kernel(nullptr), "unnamed kernel");
}

}  // namespace
}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// What only a real GPU can show. Built anywhere, run where one is: `make test-gpu`. Skipped, with the reason, without.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include <strobe/strobe.h>

#include "device/cuda/calibration.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/graph.h"
#include "host/affinity.h"
#include "measure/gate_safety.h"
#include "measure/probe.h"
#include "measure/profile_requests.h"
#include "measure/trace_excess.h"
#include "stats/middle.h"
#include "study/selftest/known_kernels.h"
#include "trace/activity.h"
#include "workload/callable.h"
#include "workload/cuda_builtin.h"

namespace strobe::cuda {
namespace {

CUstream native(Stream& s) {
  return static_cast<CUstream>(s.native());
}

CUdeviceptr pointer(const Buffer& b) {
  return reinterpret_cast<CUdeviceptr>(b.bytes().data());
}

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = std::make_shared<CudaDevice>("0");
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
  }

  Record quick(Workload& work) { return measure(work, {.effort = Effort::quick, .min_time = 300ms, .max_time = 1s}); }
  static bool found(const Record& r, std::string_view id) {
    return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == id; });
  }

  std::shared_ptr<CudaDevice> device_;
};

// A workload of one kernel of 100 µs, and something that should not be there.
class Misbehaving final : public Workload {
 public:
  Misbehaving(CudaDevice& device, std::function<void(Stream&)> fault)
      : device_(device), stream_(device.stream()), fault_(std::move(fault)) {}
  void submit(std::size_t) override {
    device_.kernels().spin(native(*stream_), 100us, 0);
    fault_(*stream_);
  }
  Stream& stream() override { return *stream_; }

 private:
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
  std::function<void(Stream&)> fault_;
};

TEST_F(Gpu, ACallersThreadIsMeasuredOnOneCpuAndThenFree) {
  Misbehaving work(*device_, [](Stream&) {});
  const std::vector<int> all = cpus_of_this_thread();
  const Record r = quick(work);
  EXPECT_EQ(cpus_of_this_thread(), all);
  ASSERT_TRUE(r.observations.cpus);
  EXPECT_EQ(r.observations.cpus->pinned.size(), 1u);
  EXPECT_EQ(r.observations.cpus->moves, 0u);
  for (const auto& [metric, cpus] : r.observations.cpus->passes) EXPECT_EQ(cpus, r.observations.cpus->pinned) << metric;
  EXPECT_TRUE(r.telemetry.facts.contains("canary_excess"));
}

TEST_F(Gpu, AHiddenSynchronisationIsFoundAndNothingHangs) {
  Misbehaving work(*device_, [](Stream& s) { s.synchronize(); });
  const Record r = quick(work);
  EXPECT_TRUE(found(r, "gate-unsafe"));
  EXPECT_FALSE(r.find("device_time"));
  EXPECT_NEAR(r.find("latency")->estimate.value, 110e3, 20e3);
}

TEST_F(Gpu, ADeviceWideSynchronisationIsFound) {
  Misbehaving work(*device_, [&](Stream&) { device_->synchronize(); });
  EXPECT_TRUE(found(quick(work), "gate-unsafe"));
}

TEST_F(Gpu, WorkOnASecondStreamIsInvalid) {
  const auto other = device_->stream();
  Misbehaving work(*device_, [&](Stream&) { device_->kernels().spin(native(*other), 400us, 0); });
  const Record r = quick(work);
  EXPECT_TRUE(found(r, "work-escaped"));
  EXPECT_EQ(r.verdict, Verdict::invalid);
}

// A request of two streams: the first waits for the second at its end, and where it `forks`, the second for the first
// at its beginning. The second works for half as long again as the host needs to submit: a full queue waits for it.
class TwoStreams final : public Workload {
 public:
  TwoStreams(CudaDevice& device, bool forks)
      : device_(device), stream_(device.stream()), other_(device.stream()), forks_(forks) {
    for (int i = 0; i < 3; ++i) {  // the first launches load the kernel
      stream_->synchronize();
      const nanoseconds begin = device_.clock().now();
      launch();
      beside_ = (device_.clock().now() - begin) * 3 / 2;
    }
    stream_->synchronize();
  }
  void submit(std::size_t) override {
    const Driver& d = device_.driver();
    CUevent begun = nullptr;  // of its own: the stream's marks are the measurement's
    cuda::check(d, d.event_create(&begun, CU_EVENT_DISABLE_TIMING), "cannot create an event");
    cuda::check(d, d.event_record(begun, native(*stream_)), "cannot record an event");
    if (forks_) cuda::check(d, d.stream_wait_event(native(*other_), begun, CU_EVENT_WAIT_DEFAULT), "cannot wait");
    d.event_destroy(begun);
    device_.kernels().spin(native(*other_), beside_, 0);
    launch();
    stream_->after(*other_, other_->mark());
  }
  Stream& stream() override { return *stream_; }
  double beside() const { return to_double(beside_); }

 private:
  void launch() {
    for (int i = 0; i < 400; ++i) device_.kernels().empty(native(*stream_));
  }
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_, other_;
  bool forks_;
  nanoseconds beside_{};
};

TEST_F(Gpu, WorkThatRunsWhileTheGateIsClosedIsFound) {
  TwoStreams leaks(*device_, false), stays(*device_, true);
  const Record lost = quick(leaks), whole = quick(stays);
  ASSERT_TRUE(lost.find("device_time")) << lost.metrics.at("device_time").unknown;
  EXPECT_TRUE(found(lost, "gate-leak")) << text(lost);
  EXPECT_FALSE(found(lost, "work-escaped")) << text(lost);
  EXPECT_LT(lost.find("device_time")->estimate.value, 0.9 * leaks.beside());
  ASSERT_TRUE(whole.find("device_time")) << whole.metrics.at("device_time").unknown;
  EXPECT_FALSE(found(whole, "gate-leak")) << text(whole);
  EXPECT_NEAR(whole.find("device_time")->estimate.value, stays.beside() + 10e3, 20e3);
}

TEST_F(Gpu, AnAllocationInEachRequestIsFoundByTheGate) {
  Misbehaving work(*device_, [&](Stream&) { device_->buffer(std::size_t{64} << 20, Place::device); });
  EXPECT_TRUE(found(quick(work), "gate-unsafe"));
}

TEST_F(Gpu, ACopyFromPageableMemoryNeverHangsBehindTheGate) {
  const Buffer to = device_->buffer(std::size_t{8} << 20, Place::device);
  const Buffer from = device_->buffer(to.bytes().size(), Place::pageable);
  Misbehaving work(*device_, [&](Stream& s) { s.copy(to.bytes(), from.bytes()); });
  EXPECT_TRUE(found(quick(work), "gate-unsafe"));
}

class ManyKernels final : public Workload {
 public:
  ManyKernels(CudaDevice& device, std::uint64_t count) : device_(device), stream_(device.stream()), count_(count) {}
  void submit(std::size_t) override {
    for (std::uint64_t i = 0; i < count_; ++i) device_.kernels().empty(native(*stream_));
  }
  Stream& stream() override { return *stream_; }
  std::optional<std::uint64_t> kernels() const override { return count_; }

 private:
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
  std::uint64_t count_;
};

TEST_F(Gpu, RequestsOfWhichTheQueueHoldsOneHaveADeviceTimeAndLongerOnesAReason) {
  const std::uint64_t depth = device_->queue_depth().value();
  ManyKernels one(*device_, depth * 9 / 10), none(*device_, depth * 3 / 2);
  const Record fits = quick(one);
  EXPECT_TRUE(fits.metrics.at("device_time").known()) << fits.metrics.at("device_time").unknown;
  // The watchdog opens a gate first: there must be time left to say why.
  const Record full = measure(none, {.effort = Effort::quick, .min_time = 300ms, .max_time = 5s});
  EXPECT_TRUE(found(full, "gate-unsafe"));
  EXPECT_NE(full.metrics.at("device_time").unknown.find("the device's queue has room for"), std::string::npos)
      << full.metrics.at("device_time").unknown;
}

TEST_F(Gpu, StreamsKeepTheirLevel) {
  const StreamLevels& levels = device_->stream_levels();
  EXPECT_GE(levels.pauses_ns.size(), 20U);
  if (!levels.border_ns) GTEST_SKIP() << "the streams of this process are alike";
  for (const StreamLevel level : {StreamLevel::fast, StreamLevel::slow}) {
    const auto stream = device_->stream_at(level);
    ASSERT_TRUE(stream);
    EXPECT_EQ(levels.level_of(device_->kernel_pause(*stream).value()), level);
  }
}

TEST_F(Gpu, AModuleLoadedBehindTheGateIsAVoidedSampleAtWorst) {
  bool load = false;
  Misbehaving work(*device_, [&](Stream&) {
    if (std::exchange(load, false)) Kernels more(device_->driver());  // loads and unloads
  });
  std::size_t request = 0;
  work.submit(0);
  load = true;
  prove_gate(work, 10us, request);
  device_->synchronize();  // the stream goes on, whatever the driver did
  EXPECT_TRUE(prove_gate(work, 100us, request).used);
}

TEST_F(Gpu, AnExceptionBehindTheGateLeavesTheStreamUsable) {
  const auto stream = device_->stream();
  try {
    const Gate gate = device_->hold(*stream, {.patience = 60s});
    device_->kernels().empty(native(*stream));
    throw Error(ErrorCode::failed, "inside");
  } catch (const Error&) {
  }
  stream->synchronize();
}

TEST_F(Gpu, ASecondStreamRunsWhileAnotherIsHeld) {
  const auto held = device_->stream(), other = device_->stream();
  Gate gate = device_->hold(*held, {.patience = 60s});
  device_->kernels().empty(native(*held));
  device_->kernels().empty(native(*other));
  other->synchronize();
  EXPECT_FALSE(gate.tripped());
}

TEST_F(Gpu, AMarkIsReachedOnceTheDeviceHasComeToIt) {
  const auto stream = device_->stream();
  Gate gate = device_->hold(*stream, {.patience = 60s});
  device_->kernels().empty(native(*stream));
  const Mark end = stream->mark();
  EXPECT_FALSE(stream->reached(end));
  gate.open();
  stream->synchronize();
  EXPECT_TRUE(stream->reached(end));
}

TEST_F(Gpu, AStreamThatWaitsForAHeldOneNeverHangsTheHost) {
  const auto held = device_->stream(), other = device_->stream();
  Gate gate = device_->hold(*held, {.patience = 100ms});
  device_->kernels().empty(native(*held));
  other->after(*held, held->mark());
  device_->kernels().empty(native(*other));
  other->synchronize();
  EXPECT_TRUE(gate.tripped());
}

// The self-test's own rule. Calibrating first also brings the GPU out of its idle clocks.
TEST_F(Gpu, GatedReadingsExceedTheTruthByOneConstant) {
  const double allowed = allowed_offset_width(*device_, calibrate(*device_, Depth::thorough));
  const std::vector<Reading> readings = KnownKernels(*device_).settled(Way::gated, allowed, {});
  ASSERT_EQ(readings.size(), kLengths.size());
  EXPECT_LE(offset_range(readings).width(), allowed);
}

TEST_F(Gpu, FillsMemoryWithNormalNumbers) {
  constexpr std::size_t kCount = 1 << 20;
  const auto stream = device_->stream();
  const Buffer on_device = device_->buffer(kCount * 4, Place::device),
               back = device_->buffer(kCount * 4, Place::pinned);
  device_->fill_normal(*stream, on_device.bytes(), FloatFormat::f32, 7);
  stream->copy(back.bytes(), on_device.bytes());
  stream->synchronize();
  std::vector<float> xs(kCount);
  std::memcpy(xs.data(), back.bytes().data(), kCount * 4);
  double sum = 0, squares = 0;
  for (const float x : xs) {
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += static_cast<double>(x) * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.01);
}

// How long reading 20 MiB takes, of which the cache has room for more than one, right after something else.
class CacheReading {
 public:
  explicit CacheReading(CudaDevice& device) : device_(device) { stream_->reserve(2); }
  Stream& stream() { return *stream_; }
  double microseconds_after(const std::function<void()>& before) {
    std::vector<double> xs;
    for (int i = 0; i < 21; ++i) {
      before();
      const Mark from = stream_->mark();
      device_.kernels().read(native(*stream_), pointer(data_), kBytes / 4, pointer(sink_));
      const Mark to = stream_->mark();
      stream_->synchronize();
      xs.push_back(to_double(stream_->between(from, to)) / 1e3);
    }
    return stats::middle_of(xs);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{20} << 20;
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_ = device_.stream();
  Buffer data_ = device_.buffer(kBytes, Place::device), sink_ = device_.buffer(4, Place::device);
};

TEST_F(Gpu, AFlushedCacheIsSlowerToReadThanAHotOne) {
  CacheReading reading(*device_);
  const auto nothing = [] {};
  reading.microseconds_after(nothing);
  EXPECT_GT(reading.microseconds_after([&] { device_->flush_cache(reading.stream()); }),
            1.05 * reading.microseconds_after(nothing));
}

TEST_F(Gpu, AFlushLeavesNothingToWriteBack) {
  CacheReading reading(*device_);
  const std::size_t bytes = 4 * device_->l2_bytes();
  const Buffer other = device_->buffer(bytes, Place::device), sink = device_->buffer(4, Place::device);
  const CUstream stream = native(reading.stream());
  const auto flushed = [&] { device_->flush_cache(reading.stream()); };
  const auto clean = [&] { device_->kernels().read(stream, pointer(other), bytes / 4, pointer(sink)); };
  const auto dirty = [&] { device_->kernels().write(stream, pointer(other), bytes / 4); };
  reading.microseconds_after(flushed);
  const double after_flush = reading.microseconds_after(flushed), after_reads = reading.microseconds_after(clean),
               after_writes = reading.microseconds_after(dirty);
  EXPECT_NEAR(after_flush, after_reads, 1.5) << "and " << after_writes << " µs where all lines are dirty";
}

TEST_F(Gpu, MeasuresItsOwnClock) {
  const auto stream = device_->stream();
  device_->counters().begin(*stream);
  device_->kernels().spin(native(*stream), 20ms, 0);
  const auto mhz = device_->counters().end(*stream).mhz;
  ASSERT_TRUE(mhz);
  EXPECT_GT(*mhz, 200);
  EXPECT_LT(*mhz, 4000);
}

TEST_F(Gpu, AFailedCaptureLeavesTheStreamUsable) {
  const auto stream = device_->stream();
  std::string why;
  EXPECT_FALSE(capture(device_->driver(), native(*stream), [&] { stream->synchronize(); }, why));
  EXPECT_FALSE(why.empty());
  device_->kernels().empty(native(*stream));
  stream->synchronize();
}

TEST_F(Gpu, ReplaysAGraphOfItsOwnWork) {
  CudaSpins work(*device_, std::vector<nanoseconds>(20, 5us));
  const Replay replay = work.replay();
  ASSERT_TRUE(replay.workload) << replay.why_not;
  replay.workload->submit(0);
  replay.workload->stream().synchronize();
}

TEST_F(Gpu, RefusesMoreMemoryThanThereIs) {
  try {
    device_->buffer(std::size_t{1} << 44, Place::device);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  }
  EXPECT_NO_THROW(device_->buffer(std::size_t{1} << 20, Place::device));
}

TEST_F(Gpu, MeasuresACallableOnAnAdoptedStream) {
  const auto own = device_->stream();
  CUstream stream = native(*own);
  Callable work([&] { device_->kernels().spin(stream, 50us, 0); }, device_->adopt(stream), 1);
  const Record r = quick(work);
  ASSERT_TRUE(r.find("device_time")) << r.metrics.at("device_time").unknown;
  EXPECT_NEAR(r.find("device_time")->estimate.value, 53e3, 3e3);
}

// Last: nothing in this process can use the context afterwards.
// Nothing else runs in a process with a broken context: scripts/test-gpu gives it one of its own.
class BrokenContext : public Gpu {};

TEST_F(BrokenContext, TheRecordSoFarIsKept) {
  std::optional<std::chrono::steady_clock::time_point> first;
  Misbehaving work(*device_, [&](Stream& s) {
    const auto now = std::chrono::steady_clock::now();
    if (!first) first = now;
    if (now > *first + 1500ms) device_->kernels().fill_normal(native(s), 0x10, 1 << 20, 1, FloatFormat::f32);
  });
  const Record r = measure(work, {.effort = Effort::quick, .min_time = 3s, .max_time = 4s});
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_NE(r.status_reason.find("broke the CUDA context"), std::string::npos) << r.status_reason;
  EXPECT_TRUE(r.find("latency"));
}

// The device under test has a context already; a traced one shares it.
class TracedGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      device_ = std::make_shared<CudaDevice>("0", true);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
    tracing_ = device_->tracer();
    if (!tracing_.tracer) GTEST_SKIP() << tracing_.why_not;
  }
  void TearDown() override { tracing_ = {}; }

  std::shared_ptr<CudaDevice> device_;
  Tracing tracing_;
};

TEST_F(TracedGpu, ShowsSpinsOnTwoStreamsBesideEachOther) {
  const auto one = device_->stream(), other = device_->stream();
  const auto both = [&] {
    device_->kernels().spin(native(*one), 5ms, 0);
    device_->kernels().spin(native(*other), 5ms, 0);
    device_->synchronize();
  };
  both();
  tracing_.tracer->take();
  const nanoseconds begin = device_->clock().now();
  both();
  const Interval window{begin, device_->clock().now()};
  const auto requests = trace::place(trace::join(tracing_.tracer->take()), {&window, 1});
  EXPECT_NEAR(trace::activity_of(requests.front()).concurrency(), 2.0, 0.05);
}

TEST_F(TracedGpu, ReadsKernelsOfKnownLengthTooLongByOneConstant) {
  const auto excess = trace_excess(*device_, *tracing_.tracer);
  ASSERT_TRUE(excess);
  EXPECT_GT(*excess, -1e3);
  EXPECT_LT(*excess, 5e3);
}

TEST_F(TracedGpu, LosesNothingAndKnowsEachCall) {
  CudaSpins work(*device_, std::vector<nanoseconds>(200, 5us));
  LocalConductor conductor;
  tracing_ = {};
  const ProfiledRequests p = profile_requests(work, {.requests = 20}, conductor);
  EXPECT_EQ(p.why_no_trace, "");
  EXPECT_EQ(p.trace.records, 20u * 200u);
  EXPECT_EQ(p.trace.lost, 0u);
  EXPECT_EQ(p.trace.differing_requests, 0u);
  EXPECT_LT(p.trace.earliest_ns, 10e3);
}

}  // namespace
}  // namespace strobe::cuda

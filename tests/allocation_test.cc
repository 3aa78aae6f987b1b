// SPDX-License-Identifier: Apache-2.0
// No loop that holds the clock allocates: every operator new of this program is counted, also those in the library,
// from the first request of a segment until the segment has returned. A device that allocates would be seen here too,
// so these use the real CPU device where it will do, and for gates one that does nothing: what the simulated device
// allocates for its queue is part of the simulation.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <malloc.h>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "measure/method.h"
#include "measure/method_axes.h"
#include "measure/pipeline/pipeline_timer.h"
#include "measure/segment.h"
#include "stats/summary.h"
#include "stats/synthetic/processes.h"

namespace {

std::atomic<std::size_t> times_allocated{0}, held{0}, most_held{0};

void* counted(std::size_t size, std::size_t alignment = 0) {
  void* p = alignment ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                      : std::malloc(size ? size : 1);
  if (!p) throw std::bad_alloc();
  ++times_allocated;
  const std::size_t now = held += malloc_usable_size(p);
  if (now > most_held) most_held = now;
  return p;
}

void release(void* p) noexcept {
  if (p) held -= malloc_usable_size(p);
  std::free(p);
}

void* counted_or_null(std::size_t size) noexcept {
  try {
    return counted(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted_or_null(size);
}
void* operator new(std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return counted(size, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept {
  release(p);
}
void operator delete[](void* p) noexcept {
  release(p);
}
void operator delete(void* p, std::size_t) noexcept {
  release(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  release(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  release(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
  release(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  release(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  release(p);
}

namespace strobe {
namespace {

// The CPU with a gate that holds nothing.
class GatedDevice final : public Device, private GateKeeper {
 public:
  Clock& clock() override { return cpu_.clock(); }
  Capabilities can() const override { return {}; }
  DeviceInfo info() const override { return cpu_.info(); }
  std::unique_ptr<Stream> stream() override;
  std::unique_ptr<Stream> adopt(void*) override { return stream(); }
  Gate hold(Stream&, const GateOptions&) override { return Gate(*this, ++tickets_); }
  void synchronize() override {}
  void flush_cache(Stream&) override {}
  Buffer buffer(std::size_t bytes, Place place) override { return cpu_.buffer(bytes, place); }
  nanoseconds tick() const override { return 1ns; }

 private:
  void open(std::uint32_t) noexcept override {}
  bool tripped(std::uint32_t) const noexcept override { return false; }

  InlineDevice cpu_;
  std::uint32_t tickets_ = 0;
};

class GatedStream final : public Stream {
 public:
  GatedStream(GatedDevice& device, std::unique_ptr<Stream> cpu) : device_(device), cpu_(std::move(cpu)) {}

  Device& device() const override { return device_; }
  void reserve(std::size_t marks) override { cpu_->reserve(marks); }
  Mark mark() override { return cpu_->mark(); }
  void wait(Mark m) override { cpu_->wait(m); }
  bool reached(Mark m) override { return cpu_->reached(m); }
  void after(const Stream&, Mark) override {}
  void synchronize() override { cpu_->synchronize(); }
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override { cpu_->copy(to, from); }
  nanoseconds between(Mark first, Mark second) override { return cpu_->between(first, second); }
  void* native() const override { return nullptr; }

 private:
  GatedDevice& device_;
  std::unique_ptr<Stream> cpu_;
};

std::unique_ptr<Stream> GatedDevice::stream() {
  return std::make_unique<GatedStream>(*this, cpu_.stream());
}

// Notes the count when its first request begins.
class Watcher final : public Workload {
 public:
  explicit Watcher(Device& device, std::function<void(Stream&)> work = {})
      : stream_(device.stream()), work_(std::move(work)) {}

  void submit(std::size_t) override {
    if (requests_++ == 0) before_ = times_allocated;
    if (work_) work_(*stream_);
  }
  std::size_t copy_in(std::size_t request, Stream&, HostMemory) override {
    submit(request);
    return 1;
  }
  std::size_t copy_out(std::size_t, Stream&, HostMemory) override { return 1; }
  Stream& stream() override { return *stream_; }

  std::size_t requests() const { return requests_; }
  std::size_t allocated() const { return times_allocated - before_; }

 private:
  std::unique_ptr<Stream> stream_;
  std::function<void(Stream&)> work_;
  std::size_t requests_ = 0, before_ = 0;
};

SegmentPlan plan(std::uint32_t requests_per_sample = 1) {
  SegmentPlan p;
  p.length = 10s;
  p.typical = 1ms;
  p.least = p.most = 5000;  // marks are read back every 256 samples
  p.settle_requests = 10;
  p.requests_per_sample = requests_per_sample;
  return p;
}

// Of one segment, from its first request to its end.
std::size_t allocations_of(Watcher& workload, const Pass& pass, const SegmentPlan& p = plan()) {
  LocalConductor conductor([] { return false; });
  std::size_t request = 0;
  Samples samples;
  const SegmentResult r = run_segment(workload, pass, p, conductor, request, samples);
  const std::size_t count = workload.allocated();
  EXPECT_EQ(r.kept, 5000u);
  EXPECT_GE(workload.requests(), 5000u);
  return count;
}

std::size_t allocations_on_the_cpu(const Pass& pass, SegmentPlan p = plan()) {
  InlineDevice cpu;
  Watcher workload(cpu);
  return allocations_of(workload, pass, p);
}

TEST(Counter, SeesWhatTheLibraryAllocates) {
  InlineDevice cpu;
  std::size_t marks = 0;
  Watcher workload(cpu, [&](Stream& s) { s.reserve(++marks); });  // grows by one, so at least a dozen times
  EXPECT_GE(allocations_of(workload, kLatencyPass), 12u);
}

TEST(TimedLoop, OfLatencyAllocatesNothing) {
  EXPECT_EQ(allocations_on_the_cpu(kLatencyPass), 0u);
}

TEST(TimedLoop, OfBlocksAllocatesNothing) {
  EXPECT_EQ(allocations_on_the_cpu(kLatencyPass, plan(100)), 0u);
}

TEST(TimedLoop, OfEventsAllocatesNothing) {
  EXPECT_EQ(allocations_on_the_cpu(kSpanPass), 0u);
}

TEST(TimedLoop, OfAPipelineAllocatesNothingHoweverItIsTimed) {
  for (const PipelineWay way : {PipelineWay::undisturbed, PipelineWay::naive, PipelineWay::sync, PipelineWay::event}) {
    Pipeline p;
    p.device = std::make_shared<InlineDevice>();
    p.lanes.push_back({"main", p.device->stream()});
    for (const char* name : {"a", "b"}) {
      PipelineStage& s = p.stages.emplace_back();
      s.name = name;
      s.host = true;
      s.lane = 0;
      s.work = std::make_unique<Watcher>(*p.device);
    }
    auto& first = static_cast<Watcher&>(*p.stages[0].work);
    PipelineTimer timer(p, 500);
    WayIterations taken;
    std::size_t last = 1;
    LocalConductor conductor([&] {
      last = first.allocated();
      return false;
    });  // asked after each iteration
    timer.take(way, 0, 0, conductor, taken);
    EXPECT_EQ(taken.iterations.size(), 500u);
    EXPECT_EQ(last, 0u) << name(way);
  }
}

TEST(TimedLoop, OfAFullQueueAllocatesNothing) {
  EXPECT_EQ(allocations_on_the_cpu(kPeriodPass), 0u);
}

TEST(TimedLoop, OfCopiesAllocatesNothing) {
  EXPECT_EQ(allocations_on_the_cpu(kCopyInPass), 0u);
  EXPECT_EQ(allocations_on_the_cpu(kEndToEndPass), 0u);
}

TEST(TimedLoop, BehindAGateAllocatesNothing) {
  GatedDevice device;
  Watcher workload(device);
  EXPECT_EQ(allocations_of(workload, kDeviceTimePass), 0u);
}

TEST(TimedLoop, OfAFullQueueWithMarksAllocatesNothing) {
  GatedDevice device;
  Watcher requests(device), blocks(device);
  const Method each = parse_method("clock=device,wait=event,queue=full"),
               busy = parse_method("clock=device,wait=none,scope=block,queue=full");
  EXPECT_EQ(allocations_of(requests, {"reading", each}), 0u);
  EXPECT_EQ(allocations_of(blocks, {"reading", busy}, plan(100)), 0u);
}

TEST(TimedLoop, OfNoNamedMethodAllocates) {
  for (const NamedMethod& named : named_methods()) {
    GatedDevice device;
    Watcher workload(device);
    const std::uint32_t requests = named.method.scope == Method::Scope::block ? 100 : 1;
    EXPECT_EQ(allocations_of(workload, {"reading", named.method}, plan(requests)), 0u) << named.method.name;
  }
}

// The budget for memory: a sample as it is stored, its columns as the analysis takes them, and what that needs on top.
TEST(Summary, NeedsAtMost100BytesASampleWithTheSampleItself) {
  constexpr std::size_t kSamples = 1'000'000;
  constexpr std::size_t kColumns = sizeof(double) + sizeof(std::uint32_t) + sizeof(double);  // value, round, time
  const std::vector<double> values = stats::simulate(stats::kSlowBistable, kSamples, 1);
  const std::size_t before = held;
  most_held = before;
  const stats::Summary summary = stats::summarize({.values = values});
  const double bytes = static_cast<double>(most_held - before) / kSamples;
  RecordProperty("summary_bytes_a_sample", std::to_string(bytes));
  EXPECT_EQ(summary.n, kSamples);
  EXPECT_LE(sizeof(Sample) + kColumns + bytes, 100);
}

}  // namespace
}  // namespace strobe

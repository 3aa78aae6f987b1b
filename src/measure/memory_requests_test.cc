// SPDX-License-Identifier: Apache-2.0
// Memory of this very process: callables that keep what they say, touched page by page.
#include "measure/memory_requests.h"

#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <vector>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"
#include "host/memory.h"
#include "record/outcome_words.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;
constexpr double kSlack = 2e6;  // what else a process does meanwhile: buffers of the test, huge pages

// Pages of their own, touched: the heap of this process may have blocks to spare.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes), at_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
    std::memset(at_, 1, bytes);
  }
  ~Pages() { ::munmap(at_, bytes_); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

 private:
  std::size_t bytes_;
  void* at_;
};

// Sanitizers keep what was given back, our own buffers of each reading among it.
bool keeps_what_is_freed() {
  return heap_in_use().count == 0;  // the C library's allocator is not the one
}

struct Watching {
  MemoryRequests seen;
  std::vector<MemoryPlace> places;

  const MemoryPhase& phase(const char* name) const {
    for (const MemoryPhase& p : places.front().phases) {
      if (p.name == name) return p;
    }
    throw std::out_of_range(name);
  }
};

Watching watch(std::function<void()> request, const MemoryLength& length = {}) {
  MemoryLog log;
  log.begin(memory_phase::load, true);
  InlineDevice cpu;
  log.opened(cpu);
  Callable work(std::move(request), cpu.stream(), 1);
  log.end(0);
  LocalConductor conductor;
  Watching w{watch_requests(work, length, log, conductor), {}};
  w.places = log.take();
  return w;
}

TEST(MemoryRequests, FindALeakOfAMegabyteInFiftyRequests) {
  if (keeps_what_is_freed()) GTEST_SKIP() << "the allocator of this process keeps what is given back";
  std::vector<std::unique_ptr<Pages>> kept;
  const Watching w = watch([&] { kept.push_back(std::make_unique<Pages>(kMegabyte)); });
  ASSERT_EQ(w.places.front().name, "process");
  const MemoryGrowth& g = *w.places.front().growth;
  EXPECT_EQ(g.outcome, growth_word::grows);
  EXPECT_EQ(g.requests, 50u);
  EXPECT_NEAR(g.per_request.value, kMegabyte, 0.02 * kMegabyte);
  EXPECT_NEAR(w.phase(memory_phase::steady).end.value - w.phase(memory_phase::warm_up).end.value, 50e6, kSlack);
}

TEST(MemoryRequests, FindNoLeakInWhatIsGivenBack) {
  if (keeps_what_is_freed()) GTEST_SKIP() << "the allocator of this process keeps what is given back";
  const Watching w = watch([] { const Pages pages(8 * kMegabyte); });
  EXPECT_EQ(w.places.front().growth->outcome, growth_word::steady) << w.places.front().growth->per_request.value;
}

TEST(MemoryRequests, GiveTheFirstRequestWhatItKeeps) {
  if (keeps_what_is_freed()) GTEST_SKIP() << "the allocator of this process keeps what is given back";
  std::unique_ptr<Pages> kept;
  const Watching w = watch([&] {
    if (!kept) kept = std::make_unique<Pages>(64 * kMegabyte);
  });
  EXPECT_NEAR(w.phase(memory_phase::first).end.value - w.phase(memory_phase::load).end.value, 64e6, kSlack);
  EXPECT_NEAR(w.phase(memory_phase::steady).end.value, w.phase(memory_phase::first).end.value, kSlack);
  EXPECT_EQ(w.places.front().growth->outcome, growth_word::steady);
}

// Nobody reads memory within a request: the kernel keeps its peak.
TEST(MemoryRequests, SeeAPeakWithinARequest) {
  if (!forget_peak_memory()) GTEST_SKIP() << "the kernel does not let a process forget its peak here";
  const Watching w = watch([] { const Pages pages(96 * kMegabyte); }, {.requests = 10});
  const MemoryPhase& steady = w.phase(memory_phase::steady);
  EXPECT_NEAR(steady.peak.value - steady.end.value, 96e6, kSlack);
}

TEST(MemoryRequests, CountPhasesAndRequests) {
  const Watching w = watch([] {}, {.requests = 12});
  EXPECT_EQ(w.seen.warmup, 3u);  // the first one, and two of the only input set
  EXPECT_EQ(w.seen.requests, 12u);
  std::vector<std::string> names;
  for (const MemoryPhase& p : w.places.front().phases) names.push_back(p.name);
  EXPECT_EQ(names, (std::vector<std::string>{"load", "first request", "warm-up", "steady"}));
  EXPECT_EQ(w.phase(memory_phase::steady).requests, 12u);
}

TEST(MemoryRequests, SayWhyThereIsNoGraph) {
  const Watching w = watch([] {}, {.requests = 6, .graph = true});
  EXPECT_FALSE(w.seen.why_no_graph.empty());
  EXPECT_EQ(w.places.front().phases.back().name, memory_phase::graph);
}

TEST(MemoryRequests, OfASimulatedDeviceKnowNothingOfThisProcess) {
  MemoryLog log;
  log.begin(memory_phase::load, true);
  SimulatedDevice device(parse_sim("kernels=2x5us+1x9us,memory=1000B,weights=300B,activations=50B,grow=2B"));
  log.opened(device);
  SimulatedWorkload work(device);
  log.end(0);
  LocalConductor conductor;
  watch_requests(work, {.requests = 20}, log, conductor);
  const std::vector<MemoryPlace> places = log.take();
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].name, "device");
  EXPECT_EQ(places[0].phases[0].end.value, 300);
  EXPECT_EQ(places[0].phases[1].end.value, 300 + 2 * 50 + 2);
  EXPECT_EQ(places[0].growth->per_request.value, 2);
  EXPECT_EQ(places[0].growth->outcome, growth_word::grows);
}

TEST(MemoryGrowth, IsUnknownOfTooFewRequests) {
  const MemoryGrowth g = memory_growth({1, 2, 3});
  EXPECT_EQ(g.outcome, growth_word::cannot_tell);
  EXPECT_EQ(g.requests, 2u);
  EXPECT_FALSE(g.per_request.bounded());
}

TEST(MemoryGrowth, IsLeftOpenWhereTheIntervalHoldsBoth) {
  std::vector<double> levels{1e6};
  for (int i = 0; i < 10; ++i) levels.push_back(levels.back() + (i % 2 ? 1e5 : -1e5));
  EXPECT_EQ(memory_growth(levels).outcome, growth_word::cannot_tell);
}

}  // namespace
}  // namespace strobe

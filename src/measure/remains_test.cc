// SPDX-License-Identifier: Apache-2.0
// A request that does not end: another thread takes what was measured before it.
#include <algorithm>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "device/inline_device.h"
#include "measure/measurement.h"
#include "measure/method_rows.h"
#include "measure/pipeline/pipeline_rounds.h"
#include "testing/stuck.h"
#include "testing/virtual_cpu.h"
#include "workload/callable.h"

namespace strobe {
namespace {

using testing::Stuck;

// Ends the process, as the program does: the thread that measures is stuck for good.
[[noreturn]] void exit_with_kept(std::size_t stuck, nanoseconds length) {
  InlineDevice device;
  Stuck stick(stuck);
  const auto request = [&] {
    stick();
    std::this_thread::sleep_for(length);
  };
  Callable work(request, device.stream(), 1);
  Remains<const Measurement*> remains;
  std::thread([&] { measure_rounds(work, {.warmup = 0}, {.remains = &remains}); }).detach();
  stick.wait_until_stuck();
  const Measurement* m = remains.take();
  int kept = 0;
  for (const Sample& s : m ? m->passes.front().samples : Samples{}) kept += s.state == SampleState::kept;
  ::_exit(m && m->status != Status::interrupted ? 255 : std::min(kept, 100));
}

TEST(Remains, AreNothingInTheFirstRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_kept(0, 1ms), ::testing::ExitedWithCode(0), "");
}

TEST(Remains, AreTheSegmentsBeforeTheRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_kept(500, 1ms), ::testing::ExitedWithCode(100), "");  // 100 or more
}

TEST(Remains, OfSlowRequestsAreAllOfThem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // Of five the first is the probe's, the second settles.
  EXPECT_EXIT(exit_with_kept(5, 150ms), ::testing::ExitedWithCode(3), "");
}

// On a clock that only requests move: what is read is known.
struct VirtualRequests {
  explicit VirtualRequests(nanoseconds length, std::size_t stuck = SIZE_MAX) : stick(stuck), length_(length) {}

  void operator()() {
    stick();
    device->clock().sleep(length_);
  }

  Stuck stick;
  std::shared_ptr<VirtualCpu> device = std::make_shared<VirtualCpu>();

 private:
  nanoseconds length_;
};

constexpr Method kRequest{.name = "request", .wait = Method::Wait::none};

// The readings of two rows, eight and one a round, when request `stuck` does not end; 100 where there is nothing to
// have.
[[noreturn]] void exit_with_readings(std::size_t stuck, nanoseconds length) {
  VirtualRequests requests(length, stuck);
  Callable work([&] { requests(); }, requests.device->stream(), 1);
  Method block = kRequest;
  block.scope = Method::Scope::block;
  const MethodPlan plan{{{kRequest, "request"}, {block, "block"}}, 0, 40};
  Remains<const MethodRows*> remains;
  std::thread([&] { time_by_methods(work, plan, &remains); }).detach();
  requests.stick.wait_until_stuck();
  const MethodRows* found = remains.take();
  if (!found) ::_exit(100);
  bool right = found->stopped;
  std::size_t n = 0;
  for (const MethodRow& row : found->rows) {
    for (const double reading : row.readings) right = right && reading == to_double(length);
    n += row.readings.size();
  }
  ::_exit(right ? static_cast<int>(n) : 255);
}

// Before the rounds there are the first request and one to learn from. In a round `request` settles with one and makes
// eight, `block` with eight and makes as many.
constexpr std::size_t kBefore = 2, kRequestRow = 9, kBlockRow = 16;

TEST(MethodRemains, AreNothingBeforeTheFirstReading) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_readings(0, 1ms), ::testing::ExitedWithCode(100), "");
  EXPECT_EXIT(exit_with_readings(kBefore + 5, 1ms), ::testing::ExitedWithCode(100), "");
}

TEST(MethodRemains, AreTheReadingsOfRowsBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_readings(kBefore + kRequestRow + 3, 1ms), ::testing::ExitedWithCode(8), "");
  EXPECT_EXIT(exit_with_readings(kBefore + kRequestRow + kBlockRow + 5, 1ms), ::testing::ExitedWithCode(9), "");
}

TEST(MethodRemains, OfSlowRequestsAreAllOfThem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_readings(kBefore + 5, 200ms), ::testing::ExitedWithCode(4), "");
}

// The iterations of all ways, one a turn, when the second of two stages is stuck after `turns` of them; 100 where there
// is nothing to have.
[[noreturn]] void exit_with_iterations(std::size_t turns) {
  constexpr std::size_t kWarmUp = 11;
  VirtualRequests first(100ms), second(50ms, kWarmUp + turns);
  second.device = first.device;
  Pipeline p;
  p.device = first.device;
  for (VirtualRequests* requests : {&first, &second}) {
    PipelineStage& stage = p.stages.emplace_back();
    stage.name = requests == &first ? "first" : "second";
    stage.host = true;
    stage.work = std::make_unique<Callable>([=] { (*requests)(); }, p.device->stream(), 1);
  }
  Remains<const PipelineMeasurement*> remains;
  std::thread([&] { measure_pipeline(p, {}, &remains); }).detach();
  second.stick.wait_until_stuck();
  const PipelineMeasurement* m = remains.take();
  if (!m) ::_exit(100);
  bool right = m->status == Status::interrupted && m->rounds == turns / (2 * ways_on(*p.device).size());
  std::size_t n = 0;
  for (const WayIterations& way : m->ways) {
    for (const Iteration& i : way.iterations) right = right && i.latency() == 150ms;
    n += way.iterations.size();
  }
  ::_exit(right ? static_cast<int>(n) : 255);
}

TEST(PipelineRemains, AreNothingBeforeTheFirstTurn) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_iterations(0), ::testing::ExitedWithCode(100), "");
}

TEST(PipelineRemains, AreAllCompleteTurns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_iterations(3), ::testing::ExitedWithCode(3), "");
  EXPECT_EXIT(exit_with_iterations(10), ::testing::ExitedWithCode(10), "");
}

}  // namespace
}  // namespace strobe

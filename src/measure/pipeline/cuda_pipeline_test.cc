// SPDX-License-Identifier: Apache-2.0
// A pipeline on CUDA's side of the seam, with a fake driver: its events are a microsecond apart, whatever lies between.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/pipeline/overlap.h"
#include "measure/pipeline/pipeline_timer.h"
#include "testing/conductors.h"
#include "testing/fake_cuda.h"
#include "workload/callable.h"
#include "workload/pipeline/stage_work.h"

namespace strobe {
namespace {

void add_copy(Pipeline& p, const char* name, std::size_t lane, CopyTask::Direction direction, bool pinned) {
  PipelineStage& s = p.stages.emplace_back();
  s.name = name;
  s.lane = lane;
  s.work = std::make_unique<CopyWork>(CopyTask{direction, {4096}, pinned}, *p.device, *p.lanes[lane].stream, 1);
}

TEST(CudaPipeline, CopiesOnTwoStreamsThatWaitForEachOther) {
  Pipeline p;
  p.device = std::make_shared<cuda::CudaDevice>(testing::fake_driver(), "0");
  p.lanes.push_back({"in", p.device->stream()});
  p.lanes.push_back({"out", p.device->stream()});
  add_copy(p, "a", 0, CopyTask::Direction::in, true);
  add_copy(p, "b", 1, CopyTask::Direction::out, false);
  resolve_after(p, 1, {"a"});
  ASSERT_TRUE(p.stages[0].awaited);
  PipelineTimer timer(p, 3);
  for (const PipelineWay way : ways_on(*p.device)) {
    WayIterations taken;
    EXPECT_TRUE(timer.take(way, 0, 0, alone, taken));
    EXPECT_EQ(taken.iterations.size(), 3u) << name(way);
    if (!has_marks(way)) continue;
    for (const StageTimes& t : taken.stages) EXPECT_NEAR(to_double(t.reading), 1000, 10);  // events are floats
    EXPECT_TRUE(taken.within_reach);
  }
}

// Copies in, work on the host that waits for it, and a copy out on a second stream.
TEST(CudaPipeline, KeepsIterationsInFlightOnTwoStreams) {
  Pipeline p;
  p.device = std::make_shared<cuda::CudaDevice>(testing::fake_driver(), "0");
  p.lanes.push_back({"in", p.device->stream()});
  p.lanes.push_back({"out", p.device->stream()});
  add_copy(p, "a", 0, CopyTask::Direction::in, true);
  PipelineStage& host = p.stages.emplace_back();
  host.name = "host";
  host.host = true;
  std::size_t worked = 0;
  host.work = std::make_unique<Callable>([&worked] { ++worked; }, p.device->stream(), 1);
  add_copy(p, "b", 1, CopyTask::Direction::out, true);
  resolve_after(p, 1, {"a"});
  resolve_after(p, 2, {"a"});
  Overlap overlap(p, 3, Overlap::iterations_for(12, 3));
  for (const std::size_t depth : {1U, 3U}) {
    worked = 0;
    OverlapTurn turn;
    ASSERT_TRUE(overlap.take(depth, 12, alone, turn));
    EXPECT_EQ(turn.iterations, 12u);
    ASSERT_EQ(turn.lengths.size(), 3u);
    for (const nanoseconds length : turn.lengths) EXPECT_GT(length, 0ns);
    EXPECT_EQ(worked, Overlap::iterations_for(12, depth));
  }
  const OverlapView view = overlap.look(3, 12, alone);
  EXPECT_EQ(view.spans.size(), 3 * Overlap::iterations_for(12, 3));
  for (const OverlapSpan& s : view.spans) {
    if (s.stage == 1) continue;
    EXPECT_NEAR(to_double(s.device_end - s.device_begin), 1000, 50);  // events are floats
  }
}

}  // namespace
}  // namespace strobe

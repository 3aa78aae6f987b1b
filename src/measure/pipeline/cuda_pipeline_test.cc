// SPDX-License-Identifier: Apache-2.0
// A pipeline on CUDA's side of the seam, with a fake driver: its events are a microsecond apart, whatever lies between.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "measure/pipeline/pipeline_timer.h"
#include "testing/conductors.h"
#include "testing/fake_cuda.h"
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
  for (const PipelineWay way : {PipelineWay::undisturbed, PipelineWay::naive, PipelineWay::sync, PipelineWay::event}) {
    WayIterations taken;
    EXPECT_TRUE(timer.take(way, 0, 0, alone, taken));
    EXPECT_EQ(taken.iterations.size(), 3u) << name(way);
    if (way != PipelineWay::event) continue;
    for (const StageTimes& t : taken.stages) EXPECT_NEAR(to_double(t.reading), 1000, 10);  // events are floats
    EXPECT_TRUE(taken.within_reach);
  }
}

}  // namespace
}  // namespace strobe

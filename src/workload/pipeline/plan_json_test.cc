// SPDX-License-Identifier: Apache-2.0
// What a worker is told to run must be what its parent read.
#include "workload/pipeline/plan_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "device/simulated/simulated_device.h"
#include "workload/pipeline/pipeline.h"

namespace strobe {
namespace {

// As a pipe carries it.
PipelinePlan sent(const PipelinePlan& p) {
  const std::string line = plan_json(p).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return plan_of(nlohmann::json::parse(line));
}

template <class T>
T sent_task(const T& task) {
  PipelinePlan p;
  p.stages.push_back({.name = "a", .task = task});
  return std::get<T>(sent(p).stages.at(0).task);
}

TEST(PlanJson, SaysWhatAPipelineIsAndWhereEachStageWasWritten) {
  PipelinePlan p;
  p.name = "two networks";
  p.device = "sim:launch=4us";
  p.iterations = 50;
  p.launch = 3;
  p.stages.push_back({.name = "first", .task = SpinTask{1us}, .where = "pipe.yaml:3:5"});
  p.stages.push_back(
      {.name = "2 \xc3\xa4", .task = SleepTask{2ms}, .stream = "side", .after = {"first"}, .repeat = 7, .where = "x"});
  const PipelinePlan heard = sent(p);
  EXPECT_EQ(heard.name, p.name);
  EXPECT_EQ(heard.device, p.device);
  EXPECT_EQ(heard.iterations, 50u);
  EXPECT_EQ(heard.launch, 3u);
  ASSERT_EQ(heard.stages.size(), 2u);
  EXPECT_EQ(heard.stages[0].where, "pipe.yaml:3:5");
  EXPECT_EQ(heard.stages[0].stream, "main");
  EXPECT_EQ(heard.stages[1].name, p.stages[1].name);
  EXPECT_EQ(heard.stages[1].stream, "side");
  EXPECT_EQ(heard.stages[1].after, p.stages[1].after);
  EXPECT_EQ(heard.stages[1].repeat, 7u);
  EXPECT_FALSE(sent(PipelinePlan{}).iterations);
}

TEST(PlanJson, SaysEveryOptionOfAModelAndItsFilesByteByByte) {
  Model m;
  m.model = "folder\xff/m.onnx";
  m.batch = 32;
  m.threads = 1;
  m.seed = 7;
  m.shape = {{"ids", "1x128:i64"}};
  m.input = {{"x", "folder\xff/x.npy"}};
  m.input_range = {{"*", {0, 1e-5}}};
  m.set = {{"key", "a=b"}};
  const Model heard = sent_task(m);
  EXPECT_EQ(heard.model, m.model);
  EXPECT_EQ(heard.input, m.input);
  EXPECT_EQ(heard.batch, 32);
  EXPECT_EQ(heard.threads, 1);
  EXPECT_EQ(heard.seed, 7u);
  EXPECT_EQ(heard.shape, m.shape);
  EXPECT_EQ(heard.input_range.at("*").high, 1e-5);
  EXPECT_EQ(heard.set, m.set);
}

TEST(PlanJson, SaysWorkOnTheHost) {
  const RandnTask randn = sent_task(RandnTask{{1, 3, 8, 8}, 0.1, -1e-300});
  EXPECT_EQ(randn.shape, (std::vector<std::int64_t>{1, 3, 8, 8}));
  EXPECT_EQ(randn.scale, 0.1);
  EXPECT_EQ(randn.offset, -1e-300);
  EXPECT_EQ(sent_task(SpinTask{1us}).length, 1us);
  EXPECT_EQ(sent_task(SleepTask{1h}).length, 1h);
  EXPECT_EQ(sent_task(MemcpyTask{{std::uint64_t{1} << 63}}).bytes.count, std::uint64_t{1} << 63);
  const FunctionTask function = sent_task(FunctionTask{"./\xff.so", "f\xfe"});
  EXPECT_EQ(function.library, "./\xff.so");
  EXPECT_EQ(function.symbol, "f\xfe");
}

TEST(PlanJson, SaysCopiesOfBothDirectionsAndMemories) {
  const CopyTask in = sent_task(CopyTask{CopyTask::Direction::in, {1 << 20}, false});
  EXPECT_EQ(in.direction, CopyTask::Direction::in);
  EXPECT_EQ(in.bytes.count, 1u << 20);
  EXPECT_FALSE(in.pinned);
  const CopyTask out = sent_task(CopyTask{CopyTask::Direction::out, {1}, true});
  EXPECT_EQ(out.direction, CopyTask::Direction::out);
  EXPECT_TRUE(out.pinned);
}

TEST(PlanJson, SaysSimulatedKernelsExactly) {
  SimulatedTask task;
  task.work = parse_sim("kernels=20x1us+2x50us,launch=5us,hidden_sync=1");
  task.own_kernel_launch = true;
  const SimulatedTask heard = sent_task(task);
  ASSERT_EQ(heard.work.kernels.size(), 2u);
  EXPECT_EQ(heard.work.kernels[1].count, 2u);
  EXPECT_EQ(heard.work.kernels[1].length, 50us);
  EXPECT_EQ(heard.work.kernel_launch, 5us);
  EXPECT_TRUE(heard.own_kernel_launch);
  EXPECT_TRUE(heard.work.hidden_sync);
  EXPECT_FALSE(sent_task(SimulatedTask{}).own_kernel_launch);
  EXPECT_FALSE(sent_task(SimulatedTask{}).work.hidden_sync);
}

TEST(PlanJson, OfAnUnknownTaskIsRefused) {
  PipelinePlan p;
  p.stages.push_back({.name = "a", .task = SpinTask{1us}});
  nlohmann::json j = plan_json(p);
  j["stages"][0]["task"]["kind"] = "dance";
  EXPECT_THROW(plan_of(j), Error);
}

TEST(OpenPipeline, TellsASimulatedDeviceWhichProcessOfItsStudyItIsIn) {
  PipelinePlan p;
  p.device = "sim:launch=1us,launch_noise=0.01";
  p.launch = 5;
  const Pipeline opened = open_pipeline(p);
  EXPECT_EQ(dynamic_cast<const SimulatedDevice&>(*opened.device).parameters().launch, 5u);
}

}  // namespace
}  // namespace strobe

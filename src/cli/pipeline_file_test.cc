// SPDX-License-Identifier: Apache-2.0
#include "cli/pipeline_file.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe::cli {
namespace {

PipelinePlan parse(const std::string& text) {
  return parse_pipeline(text, "dir/pipe.yaml");
}

TEST(PipelineFile, ReadsEveryKindOfStage) {
  const PipelinePlan p = parse(R"(
name: all
device: sim:launch=5us
iterations: 50
stages:
  - name: large
    model: zoo:mobilenet_v3_large
    batch: 32
    runtime: onnxruntime
    threads: 2
    shape: {input: 32x3x224x224, ids: "1x8:i64"}
    set: {graph_optimization_level: basic}
    input: {x: x.npy}
    input_range: {ids: 0..30000}
    seed: 7
  - model: nets/own.onnx
    input_range: -1..1
  - cpu: {randn: {shape: 1x3x512x512, scale: 2.0, offset: 1}}
  - name: copied
    copy: {direction: out, bytes: 64MiB, memory: pageable}
    stream: copies
    after: [large, cpu]
    repeat: 3
  - name: b
    cpu: {spin: 100us}
  - name: c
    cpu: {sleep: 1ms}
  - name: d
    cpu: {memcpy: 1GB}
  - name: e
    cpu: {function: {library: ./libx.so, symbol: work}}
  - name: f
    sim: {kernels: 20x1us+2x50us, launch: 5us}
    after: large
)");
  EXPECT_EQ(p.name, "all");
  EXPECT_EQ(p.device, "sim:launch=5us");
  EXPECT_EQ(p.iterations, 50u);
  ASSERT_EQ(p.stages.size(), 9u);
  const auto& model = std::get<Model>(p.stages[0].task);
  EXPECT_EQ(model.model, "zoo:mobilenet_v3_large");
  EXPECT_EQ(model.batch, 32);
  EXPECT_EQ(model.shape.at("ids"), "1x8:i64");
  EXPECT_EQ(model.set.at("graph_optimization_level"), "basic");
  EXPECT_EQ(model.input.at("x"), "dir/x.npy");
  EXPECT_EQ(model.input_range.at("ids").high, 30000);
  EXPECT_EQ(std::get<Model>(p.stages[1].task).input_range.at("*").low, -1);
  EXPECT_EQ(p.stages[0].stream, "main");
  EXPECT_EQ(p.stages[0].where, "dir/pipe.yaml:6:5");
  EXPECT_EQ(std::get<Model>(p.stages[1].task).model, "dir/nets/own.onnx");
  EXPECT_EQ(p.stages[1].name, "own");
  const auto& randn = std::get<RandnTask>(p.stages[2].task);
  EXPECT_EQ(randn.shape, (std::vector<std::int64_t>{1, 3, 512, 512}));
  EXPECT_EQ(randn.scale, 2);
  EXPECT_EQ(randn.offset, 1);
  const auto& copy = std::get<CopyTask>(p.stages[3].task);
  EXPECT_EQ(copy.direction, CopyTask::Direction::out);
  EXPECT_EQ(copy.bytes.count, 67'108'864u);
  EXPECT_FALSE(copy.pinned);
  EXPECT_EQ(p.stages[3].after, (std::vector<std::string>{"large", "cpu"}));
  EXPECT_EQ(p.stages[3].repeat, 3u);
  EXPECT_EQ(std::get<FunctionTask>(p.stages[7].task).library, "dir/./libx.so");
  EXPECT_EQ(std::get<SimulatedTask>(p.stages[8].task).work.kernel_count(), 22u);
  EXPECT_EQ(p.stages[8].after, (std::vector<std::string>{"large"}));
}

TEST(PipelineFile, IsNamedAfterItselfAndRunsOnTheBestDeviceUnlessItSaysOtherwise) {
  const PipelinePlan p = parse("stages: [{cpu: {spin: 1us}}]");
  EXPECT_EQ(p.name, "pipe.yaml");
  EXPECT_EQ(p.device, "auto");
  EXPECT_FALSE(p.iterations);
}

TEST(PipelineFile, TakesNamesOfUpTo60Characters) {
  const std::string longest(60, 'x');
  EXPECT_EQ(parse(("stages: [{name: " + longest + ", cpu: {spin: 1us}}]").c_str()).stages[0].name, longest);
  EXPECT_THROW(parse(("stages: [{name: x" + longest + ", cpu: {spin: 1us}}]").c_str()), Error);
}

struct Bad {
  const char *text, *where, *phrase;
};
const Bad kBad[] = {
    {"", "dir/pipe.yaml", "no pipeline"},
    {"hello", "dir/pipe.yaml:1:1", "no pipeline"},
    {"- a\n- b\n", "dir/pipe.yaml:1:1", "no pipeline"},
    {"stages: [", ":1:", "not YAML"},
    {"a: b: c", ":1:", "not YAML"},
    {"\tstages: 1", ":1:", "not YAML"},
    {"device: cpu\n", ":1:1", "no 'stages'"},
    {"stages:\n", ":1:1", "nothing follows it"},
    {"stages: []\n", ":1:9", "1 to 256"},
    {"stages: {cpu: {spin: 1us}}\n", ":1:9", "expected a list"},
    {"stages:\n  - cpu: {spin: 1us}\n---\nstages: 1\n", ":3:", "second document"},
    {"stages: &a\n  - *a\n", ":2:", "alias"},
    {"stagse: []\n", ":1:1:", "Did you mean 'stages'?"},
    {"device: cpu\nstagse:\n  - cpu: {spin: 1us}\n", ":2:1:", "Did you mean 'stages'?"},
    {"stages: [{cpu: {spin: 1us}}]\nstages: []\n", ":2:1", "given twice"},
    {"stages: [{cpu: {spin: 1us}}]\niterations: 0\n", ":2:13", "1 to 100000"},
    {"stages: [{cpu: {spin: 1us}}]\niterations: 2305843009213693952\n", ":2:13:", "1 to 100000"},
    {"stages: [{cpu: {spin: 1us}}]\niterations: 99999999999999999999\n", ":2:13:", "too large"},
    {"stages: [{cpu: {spin: 1us}}]\niterations: many\n", ":2:13", "not a whole number"},
    {"stages: [{cpu: {spin: 1us}}]\ndevice: gpu\n", ":2:9", "auto, cpu, cuda"},
    {"stages: [{cpu: {spin: 1us}}]\ndevice: sim:lanch=5us\n", ":2:9", "Did you mean 'launch'?"},
    {"stages:\n  - name: x\n", ":2:5", "nothing to do"},
    {"stages:\n  - {cpu: {spin: 1us}, copy: {direction: in, bytes: 1MB}}\n", ":2:5", "both 'cpu' and 'copy'"},
    {"stages:\n  - model: zoo:x\n    bacth: 32\n", ":3:5:", "Did you mean 'batch'?"},
    {"stages:\n  - model: zoo:x\n    batch: 0\n", ":3:12", "at least 1"},
    {"stages:\n  - model: zoo:x\n    batch: [1, 2]\n", ":3:12", "found a list"},
    {"stages:\n  - model: zoo:x\n    shape: 1x3\n", ":3:12", "keys with values"},
    {"stages:\n  - model: zoo:x\n    shape: {x: 1x0}\n", ":3:16", "at least 1"},
    {"stages:\n  - model: zoo:x\n    input_range: {x: 5}\n", ":3:22", "no '..'"},
    {"stages:\n  - model: zoo:x\n    input_range: 2..1\n", ":3:18", "not below"},
    {"stages:\n  - model: zoo:x\n    threads: 100000\n", ":3:14", "this machine has"},
    {"stages:\n  - model: zoo:x\n    dtype: fp64\n", ":3:12", "fp16 or bf16"},
    {"stages:\n  - model: zoo:x\n    input: {a=b: x.npy}\n", ":3:13:", "name with '='"},
    {"stages:\n  - model: zoo:x\n    device: cpu\n",
     ":3:5:", "input_range, input_sets, threads, dtype, layout, set, seed"},
    {"stages:\n  - cpu: {spin: 1us}\n    batch: 3\n", ":3:5:", "belongs to a model"},
    {"stages:\n  - cpu: spin\n", ":2:10", "randn, spin, sleep, memcpy, function"},
    {"stages:\n  - cpu: {}\n", ":2:10", "expected one task"},
    {"stages:\n  - cpu: {spin: 1us, sleep: 1us}\n", ":2:10", "expected one task"},
    {"stages:\n  - cpu: {spinn: 1us}\n", ":2:11:", "Did you mean 'spin'?"},
    {"stages:\n  - cpu: {spin: 100}\n", ":2:17", "no unit"},
    {"stages:\n  - cpu: {spin: 2h}\n", ":2:17", "1ns to 1h"},
    {"stages:\n  - cpu: {randn: {scale: 2}}\n", ":2:18", "no 'shape'"},
    {"stages:\n  - cpu: {randn: 1x3:i64}\n", ":2:18", "randn makes f32"},
    {"stages:\n  - cpu: {memcpy: 64}\n", ":2:19", "no unit"},
    {"stages:\n  - cpu: {function: {library: x}}\n", ":2:21", "'library' and 'symbol'"},
    {"stages:\n  - copy: {direction: up, bytes: 1MB}\n", ":2:23", "in or out"},
    {"stages:\n  - copy: {direction: in}\n", ":2:11", "no 'bytes'"},
    {"stages:\n  - copy: {direction: in, bytes: 1MB, memory: unified}\n", ":2:47", "pinned or pageable"},
    {"stages:\n  - sim: {launch: 5us}\n", ":2:10", "no kernels"},
    {"stages:\n  - sim: {kernels: 20x1}\n", ":2:20", "no unit"},
    {"stages:\n  - sim: {kernels: \"1us,seed=3\"}\n", ":2:20", "comma"},
    {"stages:\n  - cpu: {spin: 1us}\n    repeat: -1\n", ":3:13", "expected 1 to"},
    {"stages:\n  - cpu: {spin: 1us}\n    repeat: 2305843009213693952\n", ":3:13:", "1 to 100000"},
    {"stages:\n  - cpu: {spin: 1us}\n    after: [x]\n", ":3:13:", "no earlier stage"},
    {"stages:\n  - cpu: {spin: 1us}\n  - name: b\n    cpu: {spin: 1us}\n    after:\n      - cpu\n      - x\n",
     ":7:9:", "no earlier stage"},
    {"stages:\n  - cpu: {spin: 1us}\n  - cpu: {spin: 1us}\n", ":3:5", "two stages 'cpu'"},
    {"stages:\n  - cpu: {spin: 1us}\n    name: \"a\\nb\"\n", ":3:11", "printable"},
    {"stages:\n  - sim: {kernels: 1us}\n    stream: host\n", ":3:13:", "reports call the host so"},
    {"stages:\n  - [1]\n", ":2:5", "found a list"},
    {"stages:\n  - cpu:\n", ":2:5", "nothing follows it"},
    {"stages:\n  - ? [a]\n    : b\n", ":2:", "single value"},
};

class BadFile : public testing::TestWithParam<Bad> {};

TEST_P(BadFile, IsRefusedWithItsPlaceAndWhatWasExpected) {
  try {
    parse(GetParam().text);
    FAIL() << "it was taken: " << GetParam().text;
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_EQ(e.code(), ErrorCode::usage) << said;
    EXPECT_EQ(said.find("dir/pipe.yaml"), 0u) << said;
    EXPECT_NE(said.find(GetParam().where), std::string::npos) << said;
    EXPECT_NE(said.find(GetParam().phrase), std::string::npos) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadFile, testing::ValuesIn(kBad));

TEST(PipelineFile, IsNotReadWhenItIsFarTooLarge) {
  EXPECT_THROW(parse(std::string(2'000'000, ' ')), Error);
}

}  // namespace
}  // namespace strobe::cli

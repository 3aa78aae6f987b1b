// SPDX-License-Identifier: Apache-2.0
#include "study/compare/unlike_sides.h"

#include <gtest/gtest.h>

#include "testing/contains.h"

namespace strobe {
namespace {

Case side_on(const char* device, const char* name, Scalars facts, const char* input = "f32") {
  Case c;
  c.name = name;
  c.model.emplace();
  c.model->facts = std::move(facts);
  TensorInfo in;
  in.type = input;
  c.model->inputs = {in};
  c.device.emplace();
  c.device->kind = device;
  return c;
}

const Scalars kOnnxRuntime{{"tf32", true}, {"math", std::string("float32")}};
const Scalars kTorch{{"tf32_matmul", false}, {"tf32_cudnn", true}};

TEST(UnlikeSides, OfRuntimesWithOtherDefaultsForTf32AreAWarning) {
  const auto found = unlike_sides({side_on("cuda", "a.onnx", kOnnxRuntime), side_on("cuda", "a.pt", kTorch)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "precision-differs");
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[0].message, "a.onnx computes in f32 as TF32, a.pt computes in f32, in convolutions as TF32");
  EXPECT_EQ(found[0].advice,
            "Give both the same: --set cuda.use_tf32=0 (onnxruntime), --set allow_tf32=0 or 1 (torch), --set "
            "INFERENCE_PRECISION_HINT=f32 (openvino), --dtype.");
}

TEST(UnlikeSides, HaveNothingToSayOfTf32WhereItIsNotUsed) {
  EXPECT_TRUE(unlike_sides({side_on("cpu", "a.onnx", kOnnxRuntime), side_on("cpu", "a.pt", kTorch)}).empty());
  EXPECT_TRUE(unlike_sides({side_on("cuda", "a", kOnnxRuntime, "f16"), side_on("cuda", "b", kTorch, "f16")}).empty());
  EXPECT_TRUE(unlike_sides({side_on("cuda", "a", kOnnxRuntime), side_on("cuda", "b", kOnnxRuntime)}).empty());
}

TEST(UnlikeSides, ThatWereChosenAreANote) {
  Case off = side_on("cuda", "b", {{"tf32", false}});
  off.settings["set.cuda.use_tf32"] = std::string("0");
  auto found = unlike_sides({side_on("cuda", "a", kOnnxRuntime), off});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::note);
  found = unlike_sides({side_on("cpu", "a", {}), side_on("cpu", "b", {}, "f16")});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::note) << "two files of two types";
  EXPECT_EQ(found[0].message, "a computes in f32, b computes in f16");
}

TEST(UnlikeSides, ThatComputeOneFileWithOtherNumbersAreAWarning) {
  Case onnx = side_on("cpu", "onnxruntime", {}),
       openvino = side_on("cpu", "openvino", {{"math", std::string("bfloat16")}});
  onnx.model->sha256 = openvino.model->sha256 = "abc";
  auto found = unlike_sides({onnx, openvino});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::warning);
  EXPECT_EQ(found[0].message, "onnxruntime computes in f32, openvino computes in bf16");
  EXPECT_TRUE(testing::has(found[0].advice, "INFERENCE_PRECISION_HINT=f32"));
  openvino.settings["set.INFERENCE_PRECISION_HINT"] = std::string("bf16");
  EXPECT_EQ(unlike_sides({onnx, openvino}).at(0).severity, Severity::note);
}

TEST(UnlikeSides, OnOtherNumbersOfThreadsAreAWarningUnlessChosen) {
  const auto on = [](std::int64_t n) { return side_on("cpu", n == 2 ? "a" : "b", {{"threads", n}}); };
  auto found = unlike_sides({on(2), on(4)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "threads-differ");
  EXPECT_EQ(found[0].severity, Severity::warning);
  Case four = on(4);
  four.settings["threads"] = std::int64_t{4};
  found = unlike_sides({on(2), four});
  EXPECT_EQ(found.at(0).severity, Severity::note);
  for (const char* key : {"set.intra_op_num_threads", "set.INFERENCE_NUM_THREADS"}) {
    four = on(4);
    four.settings[key] = std::string("4");
    EXPECT_EQ(unlike_sides({on(2), four}).at(0).severity, Severity::note) << key;
  }
  EXPECT_TRUE(unlike_sides({on(2), on(2)}).empty());
  EXPECT_TRUE(unlike_sides({on(2), side_on("cpu", "b", {})}).empty()) << "not known";
}

}  // namespace
}  // namespace strobe

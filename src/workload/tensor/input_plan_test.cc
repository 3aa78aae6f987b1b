// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/input_plan.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

DeclaredInput image() {
  return {"x", TensorType::f32, {-1, 3, -1, -1}, {"batch", "", "height", "width"}, ShapeText{{1, 3, 224, 224}, ""}};
}
DeclaredInput ids() {
  return {"ids", TensorType::i64, {-1, -1}, {"batch", "tokens"}, std::nullopt};
}
DeclaredInput fixed() {
  return {"f", TensorType::f32, {4, 2}, {"", ""}, std::nullopt};
}

DeclaredInput mask() {
  return {"mask", TensorType::boolean, {-1, -1}, {"batch", "tokens"}, std::nullopt};
}

using Dims = std::vector<std::int64_t>;

ModelOptions shapes(const std::map<std::string, Dims>& given) {
  ModelOptions o;
  for (const auto& [name, dims] : given) o.shapes[name] = {dims, ""};
  return o;
}

std::string complaint(const std::vector<DeclaredInput>& declared, const ModelOptions& o) {
  try {
    plan_inputs(declared, o);
  } catch (const Error& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(InputPlan, TakesTheShapeThatTheFileProposes) {
  const auto p = plan_inputs({image()}, {});
  EXPECT_EQ(p[0].shape, (std::vector<std::int64_t>{1, 3, 224, 224}));
  EXPECT_EQ(p[0].bytes(), 4u * 3 * 224 * 224);
}

TEST(InputPlan, PutsTheBatchIntoDimensionZeroWhereItIsDynamic) {
  ModelOptions o;
  o.batch = 8;
  const auto p = plan_inputs({image(), fixed()}, o);
  EXPECT_EQ(p[0].shape[0], 8);
  EXPECT_EQ(p[1].shape[0], 4);
  EXPECT_EQ(items_of(p), 8u);
}

TEST(InputPlan, PrintsTheOptionToPasteWhenAShapeIsOpen) {
  EXPECT_EQ(complaint({ids()}, {}),
            "the shape of input 'ids' ([batch, tokens]) is open. Give it, for example: --shape tokens=128");
  DeclaredInput nameless = ids();
  nameless.symbols = {"batch", ""};
  EXPECT_NE(complaint({nameless}, {}).find("--shape ids=1x128"), std::string::npos);
  EXPECT_EQ(plan_inputs({ids()}, shapes({{"ids", {1, 128}}}))[0].shape, (Dims{1, 128}));
}

TEST(InputPlan, FillsEveryDimensionOfAName) {
  const auto p = plan_inputs({ids(), mask()}, shapes({{"tokens", {32}}}));
  EXPECT_EQ(p[0].shape, (Dims{1, 32}));
  EXPECT_EQ(p[1].shape, (Dims{1, 32}));
  ModelOptions o = shapes({{"tokens", {32}}});
  o.batch = 4;
  EXPECT_EQ(plan_inputs({ids(), mask()}, o)[1].shape, (Dims{4, 32}));
}

TEST(InputPlan, TakesSizesOfANameFromAnInputThatWasGiven) {
  const auto p = plan_inputs({ids(), mask()}, shapes({{"mask", {4, 64}}}));
  EXPECT_EQ(p[0].shape, (Dims{4, 64}));
}

TEST(InputPlan, AsksForEachNameOnce) {
  EXPECT_EQ(complaint({ids(), mask()}, {}),
            "the shape of input 'ids' ([batch, tokens]) and 'mask' ([batch, tokens]) is open. Give it, for example: "
            "--shape tokens=128");
}

TEST(InputPlan, TakesANameOfBothAsTheInput) {
  const DeclaredInput tokens{"tokens", TensorType::i64, {-1}, {""}, std::nullopt};
  const auto p = plan_inputs({tokens, ids()}, shapes({{"tokens", {7}}, {"ids", {1, 64}}}));
  EXPECT_EQ(p[0].shape, (Dims{7}));
  EXPECT_EQ(p[1].shape, (Dims{1, 64}));
  // So the option to paste cannot go by that name.
  EXPECT_NE(complaint({tokens, ids()}, {}).find("--shape ids=1x128"), std::string::npos);
}

TEST(InputPlan, RefusesSizesOfANameThatDisagree) {
  EXPECT_EQ(complaint({ids()}, shapes({{"tokens", {32}}, {"ids", {1, 64}}})),
            "--shape tokens=32 and --shape ids=1x64 disagree: both set the dimension 'tokens'. Leave one of them out.");
  EXPECT_NE(complaint({ids(), mask()}, shapes({{"ids", {1, 64}}, {"mask", {1, 32}}})).find("disagree"),
            std::string::npos);
  EXPECT_NE(complaint({ids()}, shapes({{"tokens", {1, 32}}})).find("a dimension has one size"), std::string::npos);
}

TEST(InputPlan, TakesTheFirstDimensionOfAShapeAsADefault) {
  ModelOptions o = shapes({{"x", {1, 3, 512, 512}}});
  EXPECT_EQ(plan_inputs({image()}, o)[0].shape, (Dims{1, 3, 512, 512}));
  o.batch = 4;
  EXPECT_EQ(plan_inputs({image()}, o)[0].shape, (Dims{4, 3, 512, 512}));
  o.shapes["batch"] = {{2}, ""};
  EXPECT_EQ(plan_inputs({image()}, o)[0].shape, (Dims{4, 3, 512, 512}));
  o.batch.reset();
  o.shapes.erase("x");
  EXPECT_EQ(plan_inputs({image()}, o)[0].shape, (Dims{2, 3, 224, 224}));
}

// As torch's files have them: nothing is known but what was typed.
DeclaredInput unknown(const char* name, std::size_t rank) {
  return {name, TensorType::f32, Dims(rank, -1), std::vector<std::string>(rank), std::nullopt};
}

TEST(InputPlan, LeavesInputsWithoutABatchAsTheyAre) {
  ModelOptions o = shapes({{"x", {1, 3, 8}}, {"y", {1, 5}}, {"grid", {100, 2}}});
  o.batch = 4;
  auto p = plan_inputs({unknown("x", 3), unknown("y", 2), unknown("grid", 2)}, o);
  EXPECT_EQ(p[0].shape, (Dims{4, 3, 8}));
  EXPECT_EQ(p[1].shape, (Dims{4, 5}));
  EXPECT_EQ(p[2].shape, (Dims{100, 2}));
  EXPECT_EQ(p[1].batch_dimension, 0u);
  EXPECT_FALSE(p[2].batch_dimension);

  // The model's own names say more than sizes do.
  const DeclaredInput rois{"rois", TensorType::f32, {-1, 5}, {"regions", ""}, std::nullopt};
  o.shapes = {{"rois", {{1, 5}, ""}}};
  p = plan_inputs({rois, image()}, o);
  EXPECT_EQ(p[0].shape, (Dims{1, 5}));
  EXPECT_EQ(p[1].shape, (Dims{4, 3, 224, 224}));
  EXPECT_EQ(items_of(p), 4u);
}

TEST(InputPlan, FindsABatchThatIsNotTheFirstDimension) {
  const DeclaredInput sequence{"x", TensorType::f32, {-1, -1, 16}, {"time", "batch_size", ""}, std::nullopt};
  EXPECT_NE(complaint({sequence}, {}).find("--shape time=128"), std::string::npos);
  ModelOptions o = shapes({{"time", {50}}});
  o.batch = 4;
  auto p = plan_inputs({sequence}, o);
  EXPECT_EQ(p[0].shape, (Dims{50, 4, 16}));
  EXPECT_EQ(items_of(p), 4u);
  EXPECT_EQ(p[0].batch_dimension, 1u);
  o.shapes = {{"x", {{50, 1, 16}, ""}}};
  EXPECT_EQ(plan_inputs({sequence}, o)[0].shape, (Dims{50, 4, 16}));
}

TEST(InputPlan, RefusesAnotherBatchThanAFixedOne) {
  ModelOptions o;
  o.batch = 5;
  EXPECT_NE(complaint({fixed()}, o).find("the model has a fixed batch of 4"), std::string::npos);
  o.batch = 4;
  EXPECT_EQ(plan_inputs({fixed()}, o)[0].shape[0], 4);
}

TEST(InputPlan, RefusesWrongRankFixedDimensionsAndTypes) {
  ModelOptions o;
  o.shapes["x"] = {{1, 3, 224}, ""};
  EXPECT_NE(complaint({image()}, o).find("it has 3 dimensions, the model wants 4 ([batch, 3, height, width])"),
            std::string::npos);
  o.shapes["x"] = {{1, 4, 224, 224}, ""};
  EXPECT_NE(complaint({image()}, o).find("dimension 1 is 4"), std::string::npos);
  o.shapes["x"] = {{1, 3, 224, 224}, "i64"};
  EXPECT_NE(complaint({image()}, o).find("its type is i64, the model wants f32"), std::string::npos);
  o.shapes["x"] = {{1, 3, 224, 224}, "quad"};
  EXPECT_NE(complaint({image()}, o).find("cannot read the type 'quad'"), std::string::npos);
}

TEST(InputPlan, SuggestsTheNameThatWasMeant) {
  ModelOptions o;
  o.shapes["idz"] = {{1, 128}, ""};
  EXPECT_NE(complaint({ids()}, o).find("Did you mean 'ids'?"), std::string::npos);
}

TEST(InputPlan, AsksForMemoryBeforeItTakesIt) {
  ModelOptions o;
  o.batch = 1000;
  const auto p = plan_inputs({image()}, o);
  check_fits(p, 2, std::nullopt);
  check_fits(p, 2, Bytes{std::uint64_t{2} << 30});
  try {
    check_fits(p, 2, Bytes{std::uint64_t{1} << 30});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  }
}

TEST(InputPlan, TakesARangeForAllInputsUnlessOneHasItsOwn) {
  ModelOptions o = shapes({{"tokens", {8}}});
  o.input_ranges = {{"*", {0, 1}}, {"ids", {0, 30'000}}};
  const auto p = plan_inputs({ids(), mask()}, o);
  ASSERT_TRUE(p[0].range && p[1].range);
  EXPECT_EQ(p[0].range->high, 30'000);
  EXPECT_EQ(p[1].range->high, 1);
  EXPECT_EQ(p[1].source(), "random [0, 1)");
}

TEST(InputPlan, TakesARangeUpToTheLimitsOfTheTypeAndNotBeyond) {
  const DeclaredInput bytes{"b", TensorType::i8, {4}, {""}, std::nullopt};
  ModelOptions o;
  o.input_ranges["b"] = {-128, 128};  // the upper end is not included
  EXPECT_EQ(plan_inputs({bytes}, o)[0].range->high, 128);
  for (const ValueRange beyond : {ValueRange{-128, 129}, ValueRange{-129, 128}}) {
    o.input_ranges["b"] = beyond;
    EXPECT_NE(complaint({bytes}, o).find("i8 holds values from -128 to 128"), std::string::npos);
  }
}

}  // namespace
}  // namespace strobe

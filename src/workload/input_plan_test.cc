#include "workload/input_plan.h"

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
            "the shape of input 'ids' ([batch, tokens]) is open. Give it, for example: --shape ids=1x128");
  ModelOptions o;
  o.shapes["ids"] = {{1, 128}, ""};
  EXPECT_EQ(plan_inputs({ids()}, o)[0].shape, (std::vector<std::int64_t>{1, 128}));
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
  o.shapes["x"] = {{2, 3, 224, 224}, ""};
  o.batch = 4;
  EXPECT_NE(complaint({image()}, o).find("disagree"), std::string::npos);
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

}  // namespace
}  // namespace strobe

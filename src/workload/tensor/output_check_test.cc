// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/output_check.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

namespace strobe {
namespace {

OutputTensor floats(std::vector<float> values) {
  OutputTensor t{TensorType::f32, std::vector<std::byte>(values.size() * sizeof(float))};
  std::memcpy(t.bytes.data(), values.data(), t.bytes.size());
  return t;
}

std::vector<float> ramp(float first, std::size_t n = 32) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = first + static_cast<float>(i);
  return values;
}

const std::vector<PlannedInput> kRandom{{"x", TensorType::f32, {1, 4}, std::nullopt, std::nullopt}};
const std::vector<PlannedInput> kFromFile{{"x", TensorType::f32, {1, 4}, NpyArray{}, std::nullopt}};

TEST(OutputCheck, PassesOutputsThatRepeatAndDifferBetweenInputs) {
  const auto check = check_outputs(kRandom, 2, [](std::size_t s) { return Outputs{floats(ramp(float(s)))}; }, false);
  EXPECT_TRUE(check.finite && check.repeatable && check.distinct);
  EXPECT_EQ(check.worst_difference, 0);
}

TEST(OutputCheck, SeesTheSameOutputForEveryInput) {
  EXPECT_FALSE(check_outputs(kRandom, 2, [](std::size_t) { return Outputs{floats(ramp(1))}; }, false).distinct);
}

TEST(OutputCheck, AcceptsTheSameOutputWhereItProvesNothing) {
  const auto small = [](std::size_t) { return Outputs{floats(ramp(1, 4))}; };
  EXPECT_TRUE(check_outputs(kRandom, 2, small, false).distinct);
  const auto same = [](std::size_t) { return Outputs{floats(ramp(1))}; };
  EXPECT_TRUE(check_outputs(kFromFile, 2, same, false).distinct);
  EXPECT_TRUE(check_outputs(kRandom, 1, same, false).distinct);
}

TEST(OutputCheck, SeesOutputsThatDoNotRepeat) {
  int calls = 0;
  const auto drifting = [&](std::size_t s) { return Outputs{floats(ramp(float(s) + 0.1f * float(calls++)))}; };
  EXPECT_FALSE(check_outputs(kRandom, 2, drifting, false).repeatable);
  int sizes = 0;
  const auto growing = [&](std::size_t) { return Outputs{floats(ramp(1, 32 + std::size_t(sizes++)))}; };
  EXPECT_FALSE(check_outputs(kRandom, 1, growing, false).repeatable);
}

TEST(OutputCheck, SeesWhatIsNotFinite) {
  EXPECT_FALSE(check_outputs(kRandom, 2, [](std::size_t) { return Outputs{floats({NAN, 1, 2})}; }, false).finite);
}

TEST(OutputCheck, KeepsTheFirstOutputsAndSeesWhenTheyAreOthersAfterwards) {
  Outputs kept;
  auto check = check_outputs(kRandom, 2, [](std::size_t s) { return Outputs{floats(ramp(float(s)))}; }, false, &kept);
  ASSERT_EQ(kept, Outputs{floats(ramp(0))});
  compare_late(kept, kept, false, check);
  EXPECT_TRUE(check.lasting);
  EXPECT_EQ(check.late_difference, 0);
  compare_late(kept, {floats(ramp(0.001f))}, false, check);  // 3 in 100,000 of the largest: another order of adding
  EXPECT_TRUE(check.lasting);
  compare_late(kept, {floats(ramp(1))}, false, check);
  EXPECT_FALSE(check.lasting);
  EXPECT_NEAR(check.late_difference, 1.0 / 32, 1e-6);
  compare_late(kept, {floats(std::vector<float>(32, NAN))}, false,
               check);  // as a request leaves it that writes nothing
  EXPECT_FALSE(check.lasting);
  compare_late(kept, {}, false, check);
  EXPECT_FALSE(check.lasting);
}

TEST(OutputCheck, SaysHowTwoProgramsDiffer) {
  EXPECT_EQ(why_outputs_differ({floats({1, 2})}, {floats({1, 2.00001f})}, false), "");
  EXPECT_NE(why_outputs_differ({floats({1, 2})}, {floats({1, 3})}, false), "");
  EXPECT_NE(why_outputs_differ({floats({1, 2})}, {floats({1, 2, 3})}, false), "");
}

TEST(OutputCheck, WhatIsNotFiniteInTwoProgramsIsTheSame) {
  EXPECT_EQ(why_outputs_differ({floats({NAN, INFINITY, 2})}, {floats({NAN, INFINITY, 2})}, false), "");
  EXPECT_NE(why_outputs_differ({floats({NAN, 1, 1e9f})}, {floats({1, 1, 1e9f})}, false), "");
  EXPECT_NE(why_outputs_differ({floats({INFINITY, 1})}, {floats({-INFINITY, 1})}, false), "");
  EXPECT_NE(why_outputs_differ({floats({NAN, 1})}, {floats({NAN, 2})}, false), "");
}

TEST(OutputCheck, AllowsF32WithTf32WhatItAllowsF16) {
  const Outputs a{floats({1, 2})}, b{floats({1, 2.002f})};
  EXPECT_NE(why_outputs_differ(a, b, false), "");
  EXPECT_EQ(why_outputs_differ(a, b, true), "");
  EXPECT_NE(why_outputs_differ(a, {floats({1, 2.02f})}, true), "");
  int calls = 0;
  const auto run = [&](std::size_t) { return calls++ % 2 ? b : a; };
  EXPECT_FALSE(check_outputs(kRandom, 1, run, false).repeatable);
  EXPECT_TRUE(check_outputs(kRandom, 1, run, true).repeatable);
  EXPECT_EQ(tolerance_of(TensorType::bf16, true), tolerance_of(TensorType::bf16, false));
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/value_count.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(ValueCount, IsOfFloatsAlone) {
  const std::array<std::int32_t, 2> zeros{};
  ValueCount count;
  count.add(TensorType::i32, std::as_bytes(std::span(zeros)));
  count.add_ordinary(TensorType::i32, 400);
  EXPECT_FALSE(count.shares());
}

TEST(ValueCount, AddsUpTensorsOfDifferentTypes) {
  const std::array<float, 2> floats{0, 1};
  const std::array<double, 2> doubles{0x1p-1030, 0};
  ValueCount count;
  count.add(TensorType::f32, std::as_bytes(std::span(floats)));
  count.add(TensorType::f64, std::as_bytes(std::span(doubles)));
  count.add_ordinary(TensorType::f16, 8);
  const auto shares = count.shares();
  ASSERT_TRUE(shares);
  EXPECT_EQ(shares->zero, 2.0 / 8);
  EXPECT_EQ(shares->subnormal, 1.0 / 8);
  EXPECT_EQ(shares->not_finite, 0);
}

// Ones in one tensor and twos in another repeat as much as ones in both.
TEST(ValueCount, TellsHowManyValuesOnlyRepeatWhatTheirTensorHas) {
  const std::vector<float> ones(100, 1), twos(50, 2), mixed{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ValueCount count;
  for (const auto& values : {ones, twos, mixed}) count.add(TensorType::f32, std::as_bytes(std::span(values)));
  ASSERT_TRUE(count.shares());
  EXPECT_EQ(count.shares()->repeated, 150.0 / 160);
  EXPECT_EQ(count.shares()->zero, 0);
}

}  // namespace
}  // namespace strobe

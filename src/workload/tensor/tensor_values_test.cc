// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/tensor_values.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(HalfFloats, GoThereAndBackForEveryBitPattern) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float f = half_to_float(static_cast<std::uint16_t>(bits));
    if (std::isnan(f)) continue;
    EXPECT_EQ(float_to_half(f), bits) << f;
  }
}

TEST(HalfFloats, RoundToNearestEvenAndOverflowToInfinity) {
  EXPECT_EQ(half_to_float(float_to_half(1.0f + 0x1p-11f)), 1.0f);
  EXPECT_EQ(half_to_float(float_to_half(1.0f + 0x1p-11f + 0x1p-20f)), 1.0f + 0x1p-10f);
  EXPECT_TRUE(std::isinf(half_to_float(float_to_half(1e6f))));
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::nanf("")))));
  EXPECT_EQ(half_to_float(float_to_half(0x1p-24f)), 0x1p-24f);
}

TEST(RandomValues, AreTheSameForTheSameSeedAndNeverAllZero) {
  for (const TensorType t : {TensorType::f16, TensorType::bf16, TensorType::f32, TensorType::f64, TensorType::i8,
                             TensorType::i64, TensorType::u8, TensorType::boolean}) {
    std::vector<std::byte> a(64 * size_of(t)), b(a.size()), c(a.size());
    Random r1(5), r2(5), r3(6);
    fill_random(t, a, r1);
    fill_random(t, b, r2);
    fill_random(t, c, r3);
    EXPECT_EQ(a, b) << name(t);
    EXPECT_NE(a, c) << name(t);
    EXPECT_LT(special_values(t, a).zero, 64u) << name(t);
  }
}

TEST(RandomValues, IntegersAreSafeForAnyEmbeddingTableUnlessARangeIsGiven) {
  std::vector<std::byte> ids(1000 * 8);
  Random r(1);
  fill_random(TensorType::i64, ids, r);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_LE(element(TensorType::i64, ids, i), 1);
  const ValueRange range{10, 20};
  fill_random(TensorType::i64, ids, r, &range);
  double low = 100, high = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    low = std::min(low, element(TensorType::i64, ids, i));
    high = std::max(high, element(TensorType::i64, ids, i));
  }
  EXPECT_EQ(low, 10);
  EXPECT_EQ(high, 19);
}

TEST(Compare, SeesDifferencesAndInfinities) {
  const std::vector<float> a{1, 2, 4}, b{1, 2, 4.4f}, c{1, 2, std::numeric_limits<float>::infinity()};
  const auto bytes = [](const std::vector<float>& v) { return std::as_bytes(std::span(v)); };
  EXPECT_EQ(compare(TensorType::f32, bytes(a), bytes(a)).relative, 0);
  EXPECT_NEAR(compare(TensorType::f32, bytes(a), bytes(b)).relative, 0.4 / 4.4, 1e-6);
  EXPECT_FALSE(compare(TensorType::f32, bytes(a), bytes(c)).finite);
  EXPECT_EQ(compare(TensorType::f32, bytes(c), bytes(c)).relative, 0);
  const std::vector<float> negative{-1, -2, -4}, near{-1, -2, -4.4f};
  EXPECT_NEAR(compare(TensorType::f32, bytes(negative), bytes(near)).relative, 0.4 / 4.4, 1e-6);
  const std::vector<float> large{NAN, 1e9f}, other{1, 1e9f};  // however large the other values are
  EXPECT_GE(compare(TensorType::f32, bytes(large), bytes(other)).relative, 1);
}

TEST(SpecialValues, AreCountedByWhatTheTypeItselfCallsNormal) {
  const std::vector<float> floats{0.0f, -0.0f, 1e-39f, -1e-39f, 0x1p-126f, 1.0f, NAN, -INFINITY};
  const SpecialValues f32 = special_values(TensorType::f32, std::as_bytes(std::span(floats)));
  EXPECT_EQ(f32.zero, 2u);
  EXPECT_EQ(f32.subnormal, 2u);
  EXPECT_EQ(f32.not_finite, 2u);
  const std::vector<std::uint16_t> halves{float_to_half(0x1p-15f), float_to_half(0x1p-14f), 0};
  EXPECT_EQ(special_values(TensorType::f16, std::as_bytes(std::span(halves))).subnormal, 1u);
}

// The threshold of the finding about odd values lies above what random halves have: 5 in 100,000.
TEST(SpecialValues, AreRareAmongRandomHalves) {
  std::vector<std::byte> values(200'000 * 2);
  Random random(3);
  fill_random(TensorType::f16, values, random);
  EXPECT_LT(special_values(TensorType::f16, values).subnormal, 40u);
}

std::size_t repeated(const std::vector<float>& x) {
  return repeated_values(TensorType::f32, std::as_bytes(std::span(x)));
}

TEST(RepeatedValues, AreThoseThatMoreThanHalfHave) {
  EXPECT_EQ(repeated(std::vector<float>(8, 1)), 8U);
  EXPECT_EQ(repeated({1, 2, 1, 3, 1, 4, 1, 1}), 5U);
  EXPECT_EQ(repeated({1, 1, 1, 1, 2, 2, 2, 2}), 0U) << "half is not most";
  EXPECT_EQ(repeated({1, 1, 1, 2, 2, 3, 3, 3, 3}), 0U) << "the last one leads, and few have it";
  EXPECT_EQ(repeated(std::vector<float>(7, 1)), 0U) << "too few to say";
  EXPECT_EQ(repeated(std::vector<float>(8, std::nanf(""))), 0U) << "not a number, and no value";
}

TEST(RepeatedValues, AreNoneAmongRandomNumbersOfAnyFloatType) {
  Random random(3);
  for (const TensorType type : {TensorType::f16, TensorType::bf16, TensorType::f32, TensorType::f64}) {
    std::vector<std::byte> bytes(10'001 * size_of(type));
    fill_random(type, bytes, random);
    EXPECT_EQ(repeated_values(type, bytes), 0U) << name(type);
  }
}

}  // namespace
}  // namespace strobe

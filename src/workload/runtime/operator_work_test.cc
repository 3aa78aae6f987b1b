// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/operator_work.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

double flops(std::string_view op, std::vector<Shape> in, std::vector<Shape> out) {
  return *operator_flops(op, in, out);
}

TEST(OperatorWork, CountsTheFirstConvolutionOfAResNet) {
  EXPECT_EQ(flops("Conv", {{1, 3, 224, 224}, {64, 3, 7, 7}, {64}}, {{1, 64, 112, 112}}), 2 * 118'013'952.0);
}

TEST(OperatorWork, CountsADepthwiseConvolutionOncePerChannel) {
  EXPECT_EQ(flops("Conv", {{1, 16, 10, 10}, {16, 1, 3, 3}}, {{1, 16, 10, 10}}), 2 * 1600 * 9.0);
}

TEST(OperatorWork, CountsProductsWhateverIsTransposed) {
  EXPECT_EQ(flops("Gemm", {{8, 512}, {1000, 512}, {1000}}, {{8, 1000}}), 2 * 8 * 512 * 1000.0);
  EXPECT_EQ(flops("Gemm", {{512, 8}, {512, 1000}}, {{8, 1000}}), 2 * 8 * 512 * 1000.0);
  EXPECT_EQ(flops("MatMul", {{4, 12, 197, 64}, {4, 12, 64, 197}}, {{4, 12, 197, 197}}), 2 * 4 * 12 * 197.0 * 197 * 64);
}

TEST(OperatorWork, TransposedConvolutionsAreCountedFromTheInput) {
  EXPECT_EQ(flops("ConvTranspose", {{1, 8, 5, 5}, {8, 4, 2, 2}}, {{1, 4, 10, 10}}), 2 * 200 * 16.0);
}

TEST(OperatorWork, KnowsWhatItDoesNotKnow) {
  EXPECT_FALSE(operator_flops("TopK", std::vector<Shape>{{1}}, std::vector<Shape>{{1}}));
  EXPECT_FALSE(operator_flops("Relu", {}, {}));
  EXPECT_EQ(*operator_flops("Reshape", {}, {}), 0);
}

}  // namespace
}  // namespace strobe

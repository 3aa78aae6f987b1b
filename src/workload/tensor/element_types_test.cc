// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/element_types.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

enum class Theirs { real, whole, text };
constexpr ElementType<Theirs> kTheirTypes[]{{Theirs::real, TensorType::f32}, {Theirs::whole, TensorType::i64}};

TEST(ElementTypes, AreReadBothWays) {
  EXPECT_EQ(our_type(kTheirTypes, Theirs::whole), TensorType::i64);
  EXPECT_EQ(their_type(kTheirTypes, TensorType::f32), Theirs::real);
}

TEST(ElementTypes, AreNoneWhereTheOtherSideHasNone) {
  EXPECT_EQ(our_type(kTheirTypes, Theirs::text), std::nullopt);
  EXPECT_EQ(their_type(kTheirTypes, TensorType::f16), std::nullopt);
}

}  // namespace
}  // namespace strobe

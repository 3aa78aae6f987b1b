// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/option_names.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(OptionNames, AreThoseOfTheCommandLine) {
  const OptionNames n;
  EXPECT_EQ(n.of("input-range"), "--input-range");
  EXPECT_EQ(n.with("batch", "4"), "--batch 4");
  EXPECT_EQ(n.with("shape", {{"ids", "1x128"}, {"a mask", "1x128"}}), "--shape ids=1x128 --shape 'a mask=1x128'");
}

TEST(OptionNames, AreKeysInAFile) {
  const OptionNames n{.keys = true};
  EXPECT_EQ(n.of("input-range"), "'input_range'");
  EXPECT_EQ(n.with("batch", "4"), "'batch: 4'");
  EXPECT_EQ(n.with("shape", {{"ids", "1x128"}, {"mask", "1x128"}}), "shape: {ids: 1x128, mask: 1x128}");
}

}  // namespace
}  // namespace strobe

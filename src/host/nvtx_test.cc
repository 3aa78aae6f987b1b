// SPDX-License-Identifier: Apache-2.0
// Without a tool, which is how tests run; with one it is tested on the program (tests/cli/nvtx.py).
#include "host/nvtx.h"

#include <gtest/gtest.h>

namespace strobe::nvtx {
namespace {

TEST(Nvtx, IsWatchedByNobodyWhereNoToolIsNamed) {
  EXPECT_FALSE(watched());
}

TEST(Nvtx, TellsNobodyOfARangeThatNobodyWatches) {
  const Range outer("outer");
  const Range inner(false, "inner", 5);
}

}  // namespace
}  // namespace strobe::nvtx

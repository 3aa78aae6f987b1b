// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/tf32.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

DeviceInfo device(const char* capability, const char* kind = "cuda") {
  DeviceInfo info;
  info.kind = kind;
  info.facts["compute_capability"] = std::string(capability);
  return info;
}

TEST(Tf32, NeedsAGpuThatHasIt) {
  EXPECT_FALSE(has_tf32(device("7.5"), nullptr));
  EXPECT_TRUE(has_tf32(device("8.0"), nullptr));
  EXPECT_TRUE(has_tf32(device("12.0"), nullptr));
  EXPECT_FALSE(has_tf32(device("9.0", "cpu"), nullptr));
}

TEST(Tf32, IsSwitchedOffByNvidiasOwnVariable) {
  EXPECT_FALSE(has_tf32(device("9.0"), "0"));
  EXPECT_TRUE(has_tf32(device("9.0"), "1"));
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <strobe/version.h>

namespace strobe {
namespace {

TEST(Version, OfTheLibraryIsThatOfItsHeaders) {
  EXPECT_EQ(version(), fmt::format("{}.{}.{}", STROBE_VERSION_MAJOR, STROBE_VERSION_MINOR, STROBE_VERSION_PATCH));
}

TEST(Version, IsANumberThatGrows) {
  EXPECT_EQ(STROBE_VERSION / 10000, STROBE_VERSION_MAJOR);
  EXPECT_EQ(STROBE_VERSION / 100 % 100, STROBE_VERSION_MINOR);
  EXPECT_EQ(STROBE_VERSION % 100, STROBE_VERSION_PATCH);
}

}  // namespace
}  // namespace strobe

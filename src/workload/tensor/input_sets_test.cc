// SPDX-License-Identifier: Apache-2.0
#include "workload/tensor/input_sets.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "testing/contains.h"
#include "testing/virtual_cpu.h"

namespace strobe {
namespace {

using testing::has;

class InputSetCount : public ::testing::Test {
 protected:
  InputSetCount() { cpu_.cache = Bytes{1 << 20}; }

  std::size_t count(const InputSets& asked, std::uint64_t one) { return count_sets(asked, {one}, cpu_, {}); }
  std::string refusal(std::uint64_t one) {
    try {
      count(beyond_cache, one);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::unsupported);
      return e.what();
    }
    return "nothing was refused";
  }

  VirtualCpu cpu_;
};

TEST_F(InputSetCount, IsWhatWasAskedForAndAtLeastOne) {
  EXPECT_EQ(count({}, 100), 2u);
  EXPECT_EQ(count(9, 100), 9u);
  EXPECT_EQ(count(0, 100), 1u);
}

TEST_F(InputSetCount, ExceedsTheCacheTwice) {
  EXPECT_EQ(count(beyond_cache, 1 << 10), 2048u);
  EXPECT_EQ(count(beyond_cache, (1 << 10) + 1), 2047u);
  EXPECT_EQ(count(beyond_cache, (1 << 20) - 1), 3u);
}

TEST_F(InputSetCount, RotatesAlsoWhereOneSetIsLargerThanTheCache) {
  EXPECT_EQ(count(beyond_cache, 1 << 30), 2u);
}

TEST_F(InputSetCount, HasAtLeastWhatOverlappingNeeds) {
  InputSets sets = beyond_cache;
  sets.count = 7;
  EXPECT_EQ(count(sets, 1 << 20), 7u);
  EXPECT_EQ(count(sets, 1 << 17), 16u);
}

TEST_F(InputSetCount, IsRefusedWithTheNumbersWhereItWouldTakeTooMany) {
  EXPECT_EQ(count(beyond_cache, 512), 4096u);
  const std::string why = refusal(511);
  EXPECT_TRUE(has(why, "cannot use --input-sets cache: a set of inputs has 511 B, and the cache 1.00 MiB")) << why;
  EXPECT_TRUE(has(why, "it would take 4,105 sets, of which 4,096 are the most")) << why;
  EXPECT_FALSE(has(why, "--cache cold")) << why;
  cpu_.flushes = true;
  EXPECT_TRUE(has(refusal(511), "--cache cold"));
}

TEST_F(InputSetCount, IsRefusedWhereThereIsNoInput) {
  EXPECT_TRUE(has(refusal(0), "no inputs"));
}

TEST_F(InputSetCount, IsRefusedWhereNobodyKnowsTheCache) {
  cpu_.cache.reset();
  EXPECT_TRUE(has(refusal(100), "nobody tells"));
}

}  // namespace
}  // namespace strobe

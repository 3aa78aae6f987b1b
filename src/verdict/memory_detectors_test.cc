// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "record/outcome_words.h"
#include "testing/contains.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

using testing::has;

Record growing(double each, double peak) {
  Record r;
  r.verb = "memory";
  r.metrics["memory"].unit = "bytes";
  r.metrics["memory"].estimate.value = peak;
  r.memory.places = {{.name = "process"}};
  r.memory.places.front().growth = MemoryGrowth{{each, each, each}, 50, growth_word::grows};
  return r;
}

TEST(MemoryGrows, WarnsWhereItIsMoreThanOnePerCentOfThePeak) {
  const auto f = memory_grows(growing(1e6, 2e8));
  ASSERT_TRUE(f);
  EXPECT_EQ(f->severity, Severity::warning);
  EXPECT_EQ(f->evidence.at("effect"), 0.25);
  EXPECT_EQ(f->metric, "memory");
  EXPECT_TRUE(has(f->message, "50 requests")) << f->message;
  EXPECT_EQ(memory_grows(growing(1e4, 2e8))->severity, Severity::note);
}

TEST(MemoryGrows, IsSilentWhereItDoesNotOrNobodyKnows) {
  Record r = growing(0, 2e8);
  r.memory.places.front().growth->outcome = growth_word::steady;
  EXPECT_FALSE(memory_grows(r));
  r.memory.places.front().growth.reset();
  EXPECT_FALSE(memory_grows(r));
  EXPECT_FALSE(memory_grows(Record{}));
}

TEST(MemoryOfTheMachine, IsWorthANoteWhereItHurts) {
  Record r;
  EXPECT_FALSE(swapped_out(r) || small_shared_memory(r) || huge_pages(r));
  r.host = {{"swap_used_bytes", std::int64_t{1} << 30},
            {"shared_memory_bytes", std::int64_t{64} << 20},
            {"huge_pages", std::string("always")}};
  EXPECT_TRUE(has(swapped_out(r)->message, "1.00 GiB"));
  EXPECT_TRUE(has(small_shared_memory(r)->message, "64.0 MiB"));
  EXPECT_TRUE(has(huge_pages(r)->message, "2 MiB"));
  r.host["huge_pages"] = std::string("never");
  EXPECT_TRUE(has(huge_pages(r)->message, "4 KiB"));
}

TEST(MemoryOfTheMachine, IsNotWorthANoteWhereItDoesNot) {
  Record r;
  r.host = {{"swap_used_bytes", std::int64_t{63} << 20},
            {"shared_memory_bytes", std::int64_t{1} << 30},
            {"huge_pages", std::string("madvise")}};
  EXPECT_FALSE(swapped_out(r) || small_shared_memory(r) || huge_pages(r));
}

}  // namespace
}  // namespace strobe

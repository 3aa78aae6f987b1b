// SPDX-License-Identifier: Apache-2.0
#include "study/memory/merge_memory.h"

#include <gtest/gtest.h>

#include "record/outcome_words.h"

namespace strobe {
namespace {

MemoryGrowth of_launch(double each, const char* outcome) {
  return {{each, each - 1, each + 1}, 50, outcome};
}

Record memory_record(double peak, double unexplained = 5) {
  Record r;
  r.memory.requests = 50;
  r.memory.places = {{.name = "process", .phases = {{.name = "steady", .peak = {peak}, .end = {peak - 10}}}}};
  r.memory.places[0].growth = of_launch(0, growth_word::steady);
  r.memory.parts = {{"unexplained", {unexplained}}};
  r.memory.allocator = MemoryAllocator{.name = "an arena", .in_use = {peak / 2}, .reserved = {peak}};
  return r;
}

TEST(MergeMemory, GivesEveryNumberAnIntervalForTheNextLaunch) {
  const std::vector<Record> launches{memory_record(100), memory_record(102), memory_record(104), memory_record(106),
                                     memory_record(108)};
  Record whole = launches.front();
  merge_memory(launches, whole);
  const MemoryPhase& p = whole.memory.places[0].phases[0];
  EXPECT_EQ(p.peak.value, 104);
  EXPECT_LE(*p.peak.low, 100);
  EXPECT_GE(*p.peak.high, 108);
  EXPECT_EQ(p.end.value, 94);
  EXPECT_EQ(whole.memory.allocator->reserved.value, 104);
  EXPECT_EQ(whole.memory.requests, 250u);
}

TEST(MergeMemory, KeepsTheSignOfARemainder) {
  const std::vector<Record> launches{memory_record(100, -5), memory_record(100, -4), memory_record(100, 3)};
  Record whole = launches.front();
  merge_memory(launches, whole);
  const Estimate& e = whole.memory.parts[0].bytes;
  EXPECT_EQ(e.value, -4);
  EXPECT_EQ(e.low, -5);
  EXPECT_EQ(e.high, 3);
}

TEST(MergeMemory, GrowsWhereAllLaunchesButOneDo) {
  const MemoryGrowth grows = of_launch(100, growth_word::grows), steady = of_launch(0, growth_word::steady),
                     open = of_launch(0, growth_word::cannot_tell);
  EXPECT_EQ(growth_over({grows, grows, steady}).outcome, growth_word::grows);
  EXPECT_EQ(growth_over({grows, steady, steady}).outcome, growth_word::cannot_tell);
  EXPECT_EQ(growth_over({steady, steady, open}).outcome, growth_word::steady);
  EXPECT_EQ(growth_over({open, open}).outcome, growth_word::cannot_tell);
  const MemoryGrowth all = growth_over({grows, grows, steady});
  EXPECT_EQ(all.per_request.value, 100);
  EXPECT_EQ(all.per_request.low, -1);
  EXPECT_EQ(all.per_request.high, 101);
}

TEST(MergeMemory, TakesAllocationsFromTheLaunchThatRecordedThem) {
  Record whole = memory_record(100), recorded = memory_record(300);
  recorded.memory.recorded = 4;
  recorded.memory.recorder = "somebody";
  recorded.memory.peak_causes = {{"weights", {7}}};
  recorded.memory.places.push_back({.name = "allocations"});
  add_recorded(recorded, whole.memory);
  ASSERT_EQ(whole.memory.places.size(), 2u);
  EXPECT_EQ(whole.memory.places[1].name, "allocations");
  EXPECT_EQ(whole.memory.places[0].phases[0].peak.value, 100);
  EXPECT_EQ(whole.memory.recorded, 4u);
  EXPECT_EQ(whole.memory.peak_causes[0].name, "weights");
}

}  // namespace
}  // namespace strobe

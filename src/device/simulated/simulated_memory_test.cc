// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/simulated_memory.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/simulated/virtual_clock.h"

namespace strobe {
namespace {

struct Memory : testing::Test {
  SimMemory p{.total = {1000}, .segment = {100}};
  VirtualClock clock;
  SimulatedMemory memory{p, clock};
};

TEST_F(Memory, ReservesWholeSegments) {
  memory.allocate({150}, "weights");
  EXPECT_EQ(memory.allocator().in_use, 150u);
  EXPECT_EQ(memory.allocator().reserved, 200u);
  EXPECT_EQ(memory.driver().free.count, 800u);
  memory.allocate({100}, "weights");
  EXPECT_EQ(memory.allocator().reserved, 300u);
}

TEST_F(Memory, KeepsWhatIsGivenBackForBlocksOfTheSameSize) {
  const auto block = memory.allocate({150}, "activations");
  memory.give_back(block);
  EXPECT_EQ(memory.allocator().in_use, 0u);
  EXPECT_EQ(memory.allocator().reserved, 200u);
  EXPECT_NE(memory.allocate({150}, "activations"), block);
  EXPECT_EQ(memory.allocator().reserved, 200u);
  memory.allocate({140}, "activations");
  EXPECT_EQ(memory.allocator().reserved, 400u);
  EXPECT_EQ(memory.allocator().peak, 290u);
}

TEST_F(Memory, TellsOfBothEndsOfAnAllocationWhereSomebodyAsked) {
  memory.give_back(memory.allocate({10}, "unseen"));
  memory.record();
  clock.advance(5us);
  const auto block = memory.allocate({150}, "activations", "layer 1");
  clock.advance(1us);
  memory.give_back(block);
  memory.give_back(block);  // once is enough
  ASSERT_EQ(memory.events().size(), 2u);
  EXPECT_EQ(memory.events()[0].bytes, 150);
  EXPECT_EQ(memory.events()[0].layer, "layer 1");
  EXPECT_EQ(memory.events()[1].bytes, -150);
  EXPECT_EQ(memory.events()[1].block, block);
  EXPECT_EQ(memory.events()[1].at - memory.events()[0].at, 1us);
}

TEST_F(Memory, GivesTheDriverWhatNoAllocatorKnowsOf) {
  memory.take_for_driver({300});
  EXPECT_EQ(memory.driver().free.count, 700u);
  EXPECT_EQ(memory.allocator().reserved, 0u);
}

TEST_F(Memory, EndsWhereTheDeviceDoes) {
  memory.allocate({1000}, "weights");
  EXPECT_EQ(memory.driver().free.count, 0u);
  try {
    memory.allocate({1}, "one more");
    FAIL() << "there was room";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  }
}

TEST(MemoryOfNobody, IsNotCounted) {
  const SimMemory p;
  VirtualClock clock;
  SimulatedMemory memory(p, clock);
  EXPECT_EQ(memory.allocate({100}, "weights"), 0u);
  memory.take_for_driver({100});
  EXPECT_TRUE(memory.events().empty());
}

}  // namespace
}  // namespace strobe

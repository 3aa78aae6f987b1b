// SPDX-License-Identifier: Apache-2.0
#include "measure/gate_safety.h"

#include <vector>

#include <gtest/gtest.h>

#include "device/device.h"
#include "device/inline_device.h"
#include "testing/joined_work.h"
#include "workload/builtin.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

GateObservation prove(const char* text, nanoseconds submit) {
  SimulatedDevice device(parse_sim(text));
  SimulatedWorkload work(device);
  std::size_t request = 0;
  work.submit(request++);
  work.stream().synchronize();
  return prove_gate(work, submit, request);
}

TEST(GateSafety, IsProvedForWorkThatOnlyQueues) {
  EXPECT_TRUE(prove("launch=5us,kernels=20x1us", 100us).used);
}

TEST(GateSafety, IsRefusedForWorkThatSynchronisesInside) {
  const GateObservation g = prove("launch=5us,kernels=20x1us,hidden_sync=1", 100us);
  EXPECT_FALSE(g.used);
  EXPECT_EQ(g.voided, 1u);
  EXPECT_NE(g.why_not.find("waits for its own work"), std::string::npos);
}

TEST(GateSafety, IsProvedByOneRequestWhereTheQueueHasNoRoomForTwo) {
  EXPECT_TRUE(prove("launch=5us,kernels=600x1us,queue=1000", 3ms).used);
  EXPECT_FALSE(prove("launch=5us,kernels=1200x1us,queue=1000", 6ms).used);
}

TEST(GateSafety, IsRefusedForWorkThatWaitsForASecondStreamBehindItsOwn) {
  SimulatedDevice device(parse_sim("kernels=1x1ms"));
  std::size_t request = 0;
  EXPECT_EQ(prove_gate(*testing::joined_work(device), 1ms, request).voided, 1u);
}

TEST(GateSafety, IsRefusedWhenSubmittingIsMuchSlowerBehindTheGate) {
  EXPECT_FALSE(prove("launch=50us,kernels=20x1us", 100us).used);  // 2 ms for two, said to take 100 µs each
  EXPECT_FALSE(prove("launch=11us,kernels=20x1us", 100us).used);  // 440 µs for two: more than twice, and 20 µs
  EXPECT_TRUE(prove("launch=9us,kernels=20x1us", 100us).used);    // 360 µs for two: within twice
}

TEST(GateSafety, IsNotRefusedForADelayOfMicroseconds) {
  EXPECT_TRUE(prove("launch=5us,kernels=1x1us", 1us).used);    // 10 µs for two
  EXPECT_FALSE(prove("launch=15us,kernels=1x1us", 1us).used);  // 30 µs for two
}

TEST(GateSafety, IsNotRefusedForAGraphThatStartsSlowly) {
  SimulatedDevice device(parse_sim("launch=4us,kernels=40x30us,first=400ms"));
  SimulatedWorkload work(device);
  const Replay replay = work.replay();
  std::size_t request = 0;
  const GateObservation g = prove_graph_gate(*replay.workload, 160us, request);
  EXPECT_TRUE(g.used) << g.why_not;
}

// Submits at once, but for the first `slow` requests, which lose the CPU for a millisecond.
bool is_proved_after(int slow) {
  SimulatedDevice device(parse_sim("kernels=1x1us"));
  Callable work(
      [&] {
        if (slow-- > 0) device.virtual_clock().advance(1ms);
      },
      device.stream(), 1);
  std::size_t request = 0;
  return prove_gate(work, 1us, request).used;
}

TEST(GateSafety, IsNotRefusedWhereTheCpuWasTakenAwayOnce) {
  EXPECT_TRUE(is_proved_after(1));
  EXPECT_TRUE(is_proved_after(4));   // two tries
  EXPECT_FALSE(is_proved_after(6));  // every try: the queue has no room
}

// Waits for the device in the first request of each input set, as a runtime does that asks for memory then.
class Allocating final : public Workload {
 public:
  Allocating(SimulatedDevice& device, std::size_t sets) : work_(device), seen_(sets) {}
  void submit(std::size_t request) override {
    work_.submit(request);
    if (!seen_[request % seen_.size()]) stream().synchronize();
    seen_[request % seen_.size()] = true;
  }
  Stream& stream() override { return work_.stream(); }
  std::size_t input_sets() const override { return seen_.size(); }

 private:
  SimulatedWorkload work_;
  std::vector<bool> seen_;
};

TEST(GateSafety, IsProvedWhereTheFirstRequestOfEachOfManyInputSetsWaits) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  Allocating work(device, 9);
  std::size_t request = 0;
  EXPECT_TRUE(prove_gate(work, 100us, request).used);
  Gate gate = device.hold(work.stream(), {});
  for (std::size_t i = 0; i < 9; ++i) work.submit(i);
  EXPECT_FALSE(gate.tripped());
}

TEST(GateSafety, GivesTheReasonWhereThereIsNoGate) {
  InlineDevice cpu;
  const auto work = make_builtin("null", cpu);
  std::size_t request = 0;
  const GateObservation g = prove_gate(*work, 1us, request);
  EXPECT_FALSE(g.used);
  EXPECT_FALSE(g.why_not.empty());
}

TEST(GateSafety, HasPatienceButLessThanASpinningGate) {
  EXPECT_EQ(gate_patience(1us), 500ms);
  EXPECT_EQ(gate_patience(100ms), 5s);
  EXPECT_EQ(gate_patience(2s), kLongestPatience);
}

}  // namespace
}  // namespace strobe

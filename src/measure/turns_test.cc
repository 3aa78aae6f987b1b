// SPDX-License-Identifier: Apache-2.0
#include "measure/turns.h"

#include <gtest/gtest.h>

#include "testing/virtual_cpu.h"
#include "testing/watched_work.h"
#include "workload/callable.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

TEST(Turns, ReadWhatTheFormulasSay) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  SimulatedWorkload work(device);
  const Options o;
  Turns turns(work, o);
  for (int i = 0; i < 3; ++i) {
    const TurnReadings r = turns.take();
    EXPECT_EQ(r.at("latency").value, 101'000);
    EXPECT_EQ(r.at("span").value, 101'000);
    EXPECT_EQ(r.at("device_time").value, 20'000);
    EXPECT_NEAR(r.at("throughput").value, 1e9 / 100'000, 1);  // submit is what limits it
    EXPECT_TRUE(r.at("throughput").samples.empty());
  }
}

TEST(Turns, AreLongEnoughForAMedian) {
  SimulatedDevice fast(parse_sim("kernels=1x100us")), slow(parse_sim("kernels=1x50ms")),
      slower(parse_sim("kernels=1x1s"));
  const Options o;
  SimulatedWorkload a(fast), b(slow), c(slower);
  // Four passes share 250 ms.
  EXPECT_NEAR(static_cast<double>(Turns(a, o).take().at("latency").samples.size()), 575, 5);
  EXPECT_EQ(Turns(b, o).take().at("latency").samples.size(), 8u);
  EXPECT_EQ(Turns(c, o).take().at("latency").samples.size(), 3u);
}

TEST(Turns, SoakOnceBeforeTheFirstOne) {
  // The first 200 ms of work are slow: a clock that has to rise.
  auto cpu = std::make_shared<VirtualCpu>();
  nanoseconds worked{};
  Callable work(
      [&] {
        const nanoseconds t = worked < 200ms ? 10ms : 5ms;
        worked += t;
        cpu->clock().sleep(t);
      },
      cpu->stream(), 1);
  const Options o;
  Turns turns(work, o);
  worked = {};  // whatever the other side's load left behind
  EXPECT_EQ(turns.take().at("latency").value, 5e6);
  worked = {};
  EXPECT_EQ(turns.take().at("latency").value, 10e6);
}

TEST(Turns, LeaveOutTheFirstRequestsOfATurn) {
  // Each turn's first two requests are ten times slower: whatever the other side left behind.
  auto cpu = std::make_shared<VirtualCpu>();
  int since = 0;
  Callable work([&] { cpu->clock().sleep(since++ < 2 ? 100ms : 10ms); }, cpu->stream(), 1);
  const Options o;
  Turns turns(work, o);
  for (int i = 0; i < 4; ++i) {
    since = 0;
    const TurnReadings r = turns.take();
    EXPECT_EQ(r.at("latency").value, 10e6);
    for (const double x : r.at("latency").samples) EXPECT_EQ(x, 10e6);
    EXPECT_NEAR(r.at("throughput").value, 100, 1e-6);
  }
}

TEST(Turns, TellAQueueWithoutRoomFromWorkThatWaits) {
  const auto why_not = [](const char* text) {
    SimulatedDevice device(parse_sim(text));
    SimulatedWorkload work(device);
    const Options o;
    Turns turns(work, o);
    turns.take();
    turns.explain_trip();
    return turns.seen().gate.why_not;
  };
  EXPECT_NE(why_not("launch=1us,kernels=1200x1us,queue=1000").find("has room for 1000"), std::string::npos);
  EXPECT_NE(why_not("launch=1us,kernels=20x1us,queue=1000,hidden_sync=1").find("waits for its own work"),
            std::string::npos);
}

TEST(Turns, SayNothingWhenStopped) {
  SimulatedDevice device(parse_sim("kernels=1x100us"));
  SimulatedWorkload work(device);
  bool stop = false;
  Options o;
  o.stop = [&] { return stop; };
  Turns turns(work, o);
  stop = true;
  EXPECT_TRUE(turns.take().empty());
}

TEST(Turns, DoWithoutTheGateWhereItIsNotSafe) {
  SimulatedDevice device(parse_sim("kernels=3x100us,hidden_sync=1"));
  SimulatedWorkload work(device);
  const Options o;
  Turns turns(work, o);
  const TurnReadings r = turns.take();
  EXPECT_FALSE(r.contains("device_time"));
  EXPECT_TRUE(r.contains("latency"));
  EXPECT_FALSE(turns.seen().gate.used);
}

TEST(Turns, KeepTheGraphBehindTheGateWhereOnlyTheEagerWorkloadWaitsForItself) {
  SimulatedDevice device(parse_sim("kernels=3x100us"));
  WatchedWork work(device);
  work.waits_from = 0ns;
  const Options o{.graph = true};
  Turns turns(work, o);
  for (int i = 0; i < 3; ++i) {
    const TurnReadings r = turns.take();
    EXPECT_FALSE(r.contains("device_time"));
    ASSERT_TRUE(r.contains("replay_time"));
    EXPECT_EQ(r.at("replay_time").value, 300'000);
  }
}

}  // namespace
}  // namespace strobe

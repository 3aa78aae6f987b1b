// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/overlap.h"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "testing/conductors.h"
#include "testing/contended_lock.h"
#include "testing/simulated_pipeline.h"

namespace strobe {
namespace {

using testing::add_host, testing::add_kernels, testing::add_lane, testing::done, testing::Kernels,
    testing::simulated_pipeline;

// The host works for h, then hands over A.
struct Deployed {
  const char* device;
  nanoseconds host;
  Kernels a;
};

// Bound by the host, by the device, by launches; marks and waits free and dear.
const Deployed kDeployed[] = {
    {"sync=0ns", 500us, {20, 10us, 1us}},
    {"sync=6us", 100us, {20, 50us, 2us}},
    {"mark=1us,sync=6us", 400us, {20, 20us, 2us}},
    {"mark=1us,mark_gpu=2us,sync=7us", 50us, {40, 2us, 5us}},
    {"mark=1us,mark_gpu=2us,sync=300us", 350us, {20, 20us, 1us}},
    {"mark=500ns,sync=900us", 400us, {10, 41us, 1us}},
};

class DeployedPipeline : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  DeployedPipeline()
      : d(kDeployed[std::get<0>(GetParam())]),
        depth(std::get<1>(GetParam())),
        sim(parse_sim(d.device)),
        p(simulated_pipeline(d.device)) {
    const std::size_t main = add_lane(p, "main");
    add_host(p, "prepare", d.host);
    add_kernels(p, "A", main, d.a);
  }
  OverlapTurn taken(std::size_t in_flight, std::size_t counted) {
    Overlap overlap(p, in_flight, Overlap::iterations_for(counted, in_flight));
    OverlapTurn turn;
    EXPECT_TRUE(overlap.take(in_flight, counted, alone, turn));
    return turn;
  }
  struct Followed {
    std::vector<nanoseconds> handed_over, end;  // of each iteration
  };
  // Step by step.
  Followed follow(std::size_t count) const {
    std::vector<nanoseconds> handed_over(count), end(count);
    nanoseconds host{}, free{};
    for (std::size_t n = 0; n < count; ++n) {
      if (n >= depth && end[n - depth] > host) host = end[n - depth] + sim.sync;
      const nanoseconds launched = host + d.host;
      handed_over[n] = host = launched + d.a.n * d.a.l + sim.mark;
      end[n] = free = std::max(done(d.a, launched, free), host) + sim.mark_gpu;
    }
    return {handed_over, end};
  }
  nanoseconds host_work() const { return d.host + d.a.n * d.a.l + sim.mark; }
  nanoseconds one_at_a_time() const { return std::max(done(d.a, d.host, 0ns), host_work()) + sim.mark_gpu + sim.sync; }

  const Deployed& d;
  std::size_t depth;
  SimParameters sim;
  Pipeline p;
};

TEST_P(DeployedPipeline, IsDoneWithEachIterationWhenTheRecursionSays) {
  const std::size_t count = Overlap::iterations_for(24, depth), last = count - 1 - depth;
  const Followed f = follow(count);
  const OverlapTurn turn = taken(depth, 24);
  ASSERT_EQ(turn.lengths.size(), 2u);
  EXPECT_EQ(turn.lengths[0], f.handed_over[last] - f.handed_over[depth]);
  EXPECT_EQ(turn.lengths[1], f.end[last] - f.end[depth]);
}

// However far the host runs ahead of it.
TEST_P(DeployedPipeline, HasNoPeriodShorterThanTheWorkOfItsBusiestLane) {
  const OverlapTurn turn = taken(depth, 4 * depth);
  EXPECT_GE(std::max(turn.period(0), turn.period(1)), to_double(std::max<nanoseconds>(host_work(), d.a.n * d.a.k)));
}

// The largest of three: the work of the host, that of the device, and an iteration by itself shared by those in flight.
// A host that has the most to do finds iterations done when it comes to wait for them: then it does not wait at all.
TEST_P(DeployedPipeline, HasThePeriodOfTheFormula) {
  const nanoseconds host = host_work(), device = d.a.n * d.a.k + sim.mark_gpu, alone = one_at_a_time();
  const auto in_flight = static_cast<std::int64_t>(depth);
  const bool never_waits = host >= device && alone - sim.sync <= in_flight * host;
  const double formula =
      never_waits ? to_double(host)
                  : std::max({to_double(host), to_double(device), to_double(alone) / static_cast<double>(in_flight)});
  // From where the device has caught up on: in the first cycles it still works off what was handed over at once.
  const std::size_t cycles = 200;
  const OverlapTurn few = taken(depth, cycles * depth), many = taken(depth, 2 * cycles * depth);
  for (std::size_t lane = 0; lane < 2; ++lane) {
    const double later =
        to_double(many.lengths[lane] - few.lengths[lane]) / static_cast<double>(many.iterations - few.iterations);
    EXPECT_NEAR(later, formula, 0.5);
  }
}

TEST_P(DeployedPipeline, TakesTheLatencyOfAnIterationWhereOnlyOneIsInFlight) {
  for (const std::size_t lane : {0U, 1U}) EXPECT_EQ(taken(1, 5).period(lane), to_double(one_at_a_time()));
}

INSTANTIATE_TEST_SUITE_P(Depths, DeployedPipeline,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size(kDeployed)),
                                            ::testing::Values<std::size_t>(1, 2, 3, 5)));

// prepare 100 µs, 300 µs of work, answer 150 µs, which waits for the work.
struct Answering {
  Answering() : p(simulated_pipeline("sync=5us,mark=1us")) {
    const std::size_t main = add_lane(p, "main");
    add_host(p, "prepare", 100us);
    add_kernels(p, "A", main, {10, 30us, 1us});
    add_host(p, "answer", 150us);
    resolve_after(p, 2, {"A"});
  }
  double period(std::size_t in_flight) {
    Overlap overlap(p, in_flight, Overlap::iterations_for(200, in_flight));
    OverlapTurn turn;
    overlap.take(in_flight, 200, alone, turn);
    return turn.period(1);
  }
  Pipeline p;
};

TEST(HostStageThatWaits, LetsTheNextIterationBeginMeanwhile) {
  Answering a;
  // 100 + 1 + 300 + the wait + 150; in flight the device never idles, because 100 + 10 + 1 + 150 + 5 µs hide behind it.
  EXPECT_EQ(a.period(1), 556'000);
  EXPECT_NEAR(a.period(2), 300'000, 1);
  EXPECT_NEAR(a.period(3), 300'000, 1);
}

TEST(HostStageThatWaits, KeepsTheOrderOfIterations) {
  Pipeline p = simulated_pipeline("sync=5us,mark=1us");
  const std::size_t main = add_lane(p, "main");
  add_kernels(p, "A", main, {10, 30us, 1us});
  add_host(p, "answer", 1us);
  resolve_after(p, 1, {"A"});
  std::vector<std::size_t> order;
  class Noted final : public Workload {
   public:
    Noted(std::vector<std::size_t>& order, Stream& stream) : order_(order), stream_(stream) {}
    void submit(std::size_t request) override { order_.push_back(request); }
    Stream& stream() override { return stream_; }

   private:
    std::vector<std::size_t>& order_;
    Stream& stream_;
  };
  p.stages[1].work = std::make_unique<Noted>(order, *p.lanes[main].stream);
  Overlap overlap(p, 4, Overlap::iterations_for(8, 4));
  OverlapTurn turn;
  overlap.take(4, 8, alone, turn);
  ASSERT_EQ(order.size(), Overlap::iterations_for(8, 4));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

// A on one stream, B on another one after A: with two in flight A of the next iteration works beside B.
TEST(TwoStreamsInFlight, WorkOnDifferentIterations) {
  Pipeline p = simulated_pipeline("sync=5us");
  const std::size_t one = add_lane(p, "one"), two = add_lane(p, "two");
  add_kernels(p, "A", one, {10, 20us, 1us});
  add_kernels(p, "B", two, {10, 15us, 1us});
  resolve_after(p, 1, {"A"});
  Overlap overlap(p, 2, Overlap::iterations_for(100, 2));
  OverlapTurn alone_turn, turn;
  overlap.take(1, 100, alone, alone_turn);
  overlap.take(2, 100, alone, turn);
  EXPECT_EQ(alone_turn.period(2), 356'000);  // 1 + 200 + 150 + the wait
  EXPECT_NEAR(turn.period(2), 200'000, 1);
}

TEST(LookedAt, ShowsEachLaneAtWork) {
  Pipeline p = simulated_pipeline("sync=1us");
  const std::size_t main = add_lane(p, "main");
  add_host(p, "prepare", 100us);
  add_kernels(p, "A", main, {10, 20us, 1us});
  Overlap overlap(p, 2, Overlap::iterations_for(20, 2));
  const OverlapView view = overlap.look(2, 20, alone);
  EXPECT_EQ(view.iterations, 20u);
  EXPECT_EQ(view.length, 20 * 200us);
  EXPECT_EQ(view.spans.size(), 2 * Overlap::iterations_for(20, 2));
  nanoseconds last = -10s;
  for (const OverlapSpan& s : view.spans) {
    EXPECT_EQ(s.end - s.begin, s.stage == 0 ? 100us : 10us);
    if (s.stage == 0) continue;
    EXPECT_GE(s.device_begin + 2 * view.uncertainty, last);  // one after the other
    last = s.device_end;
  }
}

TEST(OverlapTurns, EndWhereTheyAreStopped) {
  Pipeline p = simulated_pipeline("sync=5us");
  add_kernels(p, "A", add_lane(p, "main"), {10, 20us, 1us});
  Overlap overlap(p, 2, 20);
  int asked = 0;
  LocalConductor conductor([&] { return ++asked > 4; });
  OverlapTurn turn;
  EXPECT_FALSE(overlap.take(2, 10, conductor, turn));
  EXPECT_TRUE(overlap.look(2, 10, conductor).spans.empty());
  EXPECT_TRUE(overlap.take(2, 10, alone, turn));  // nothing was left behind
}

TEST(OverlapTurns, NameTheStageThatFails) {
  Pipeline p = simulated_pipeline("sync=5us");
  add_kernels(p, "A", add_lane(p, "main"), {10, 20us, 1us});
  PipelineStage& s = p.stages.emplace_back();
  s.name = "tokenize";
  s.host = true;
  s.work = std::make_unique<Callable>([] { throw std::runtime_error("it gave up"); }, p.device->stream(), 1);
  Overlap overlap(p, 2, 20);
  OverlapTurn turn;
  try {
    overlap.take(2, 10, alone, turn);
    FAIL() << "it did not fail";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "stage 'tokenize' failed: it gave up");
  }
}

TEST(Overlap, DoesNotShowTheWaitForALockAsWorkOfAStage) {
  Pipeline p = simulated_pipeline("sync=6us");
  const std::size_t main = add_lane(p, "main");
  add_host(p, "H", 50us);
  add_kernels(p, "A", main, {20, 10us, 1us});
  for (PipelineStage& s : p.stages) s.work = std::make_unique<testing::LockedWork>(std::move(s.work));
  testing::ContendedLock lock(p.device->clock());
  const LendWhileWaiting lend(lock);
  Overlap overlap(p, 2, Overlap::iterations_for(8, 2));
  for (const OverlapSpan& s : overlap.look(2, 8, alone).spans) {
    if (s.stage != 0) continue;
    EXPECT_EQ(s.end - s.begin, 50us);
  }
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/pipeline_timer.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "testing/conductors.h"
#include "testing/contended_lock.h"
#include "testing/simulated_pipeline.h"

namespace strobe {
namespace {

using testing::add_host, testing::add_kernels, testing::add_lane, testing::done, testing::Kernels,
    testing::simulated_pipeline;

struct Machine {
  const char* text;
  Kernels a, b;
  nanoseconds host;  // of the work on the host between them
};

// Host-bound, device-bound, mixed; marks and waits free and dear; host work that hides behind the device, and not.
const Machine kPipelineMachines[] = {
    {"sync=0ns", {20, 1us, 5us}, {10, 2us, 3us}, 50us},
    {"sync=6us", {20, 50us, 2us}, {10, 5us, 3us}, 200us},
    {"sync=6us", {20, 50us, 2us}, {10, 5us, 3us}, 5ms},
    {"mark=1us,sync=6us", {20, 5us, 2us}, {10, 2us, 3us}, 1us},
    {"mark=1us,mark_gpu=2us,sync=7us", {40, 30us, 4us}, {20, 30us, 4us}, 300us},
    {"mark=1us,mark_gpu=2us,sync=7us", {40, 2us, 5us}, {20, 2us, 5us}, 10us},
    {"mark=500ns,mark_gpu=1us,sync=3us", {1, 100us, 5us}, {1, 3us, 7us}, 20us},
};

// The formulas for A on the device, H on the host, B on the device of docs/pipeline.md.
struct Formulas {
  explicit Formulas(const Machine& m) : p(parse_sim(m.text)), a(m.a), b(m.b), h(m.host) {}

  nanoseconds undisturbed() const {
    const nanoseconds begin_b = a.n * a.l + h;
    return done(b, begin_b, done(a, 0ns, 0ns)) + p.sync;
  }
  nanoseconds sync_reading(const Kernels& x) const { return done(x, 0ns, 0ns) + p.sync; }
  nanoseconds sync_latency() const {
    return 3 * p.sync + sync_reading(a) + (h + p.sync) + sync_reading(b) +
           p.sync;  // a wait before each, one at the end
  }
  // Marks: a0 and a1 around A, b0 and b1 around B. A mark is stamped g after it is reached.
  struct Events {
    nanoseconds a, b, latency;
  };
  Events events() const {
    const nanoseconds m = p.mark, g = p.mark_gpu;
    const nanoseconds a0 = m + g, a_end = done(a, m, a0), a_marked = m + a.n * a.l + m;
    const nanoseconds a1 = std::max(a_end, a_marked) + g;
    const nanoseconds b_from = a_marked + h + m;
    const nanoseconds b0 = std::max(a1, b_from) + g, b_end = done(b, b_from, b0), b_marked = b_from + b.n * b.l + m;
    const nanoseconds b1 = std::max(b_end, b_marked) + g;
    return {a1 - a0, b1 - b0, b1 + p.sync};
  }

  // With a wait behind the second mark A begins and ends as before; B begins on a drained device, and is waited for
  // twice.
  Events events_and_waits() const {
    const nanoseconds m = p.mark, g = p.mark_gpu;
    const nanoseconds a0 = m + g, a1 = std::max(done(a, m, a0), m + a.n * a.l + m) + g;
    const nanoseconds b_marked = a1 + p.sync + h + m, b0 = b_marked + g;
    const nanoseconds b1 = std::max(done(b, b_marked, b0), b_marked + b.n * b.l + m) + g;
    return {a1 - a0, b1 - b0, b1 + 2 * p.sync};
  }

  SimParameters p;
  Kernels a, b;
  nanoseconds h;
};

class ClosedForms : public ::testing::TestWithParam<std::size_t> {
 protected:
  ClosedForms() : machine(kPipelineMachines[GetParam()]), p(simulated_pipeline(machine.text)), formulas(machine) {
    const std::size_t main = add_lane(p, "main");
    add_kernels(p, "A", main, machine.a);
    add_host(p, "H", machine.host);
    add_kernels(p, "B", main, machine.b);
  }
  WayIterations take(PipelineWay way) {
    PipelineTimer timer(p, 3);
    WayIterations taken;
    EXPECT_TRUE(timer.take(way, 0, 0, alone, taken));
    EXPECT_EQ(taken.iterations.size(), 3u);
    EXPECT_EQ(taken.stages.size(), 9u);
    return taken;
  }
  const Machine& machine;
  Pipeline p;
  Formulas formulas;
};

TEST_P(ClosedForms, UndisturbedItTakesWhatTheFormulaSays) {
  for (const Iteration& it : take(PipelineWay::undisturbed).iterations) EXPECT_EQ(it.latency(), formulas.undisturbed());
}

TEST_P(ClosedForms, NaiveReadsWhatHandingOverCostsAndSlowsNothing) {
  const WayIterations t = take(PipelineWay::naive);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(t.iterations[n].latency(), formulas.undisturbed());
    EXPECT_EQ(t.row(n, 3)[0].reading, machine.a.n * machine.a.l);
    EXPECT_EQ(t.row(n, 3)[1].reading, machine.host);
    EXPECT_EQ(t.row(n, 3)[2].reading, machine.b.n * machine.b.l);
  }
}

TEST_P(ClosedForms, SyncReadsEachStageAloneAndItsWaits) {
  const WayIterations t = take(PipelineWay::sync);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(t.iterations[n].latency(), formulas.sync_latency());
    EXPECT_EQ(t.row(n, 3)[0].reading, formulas.sync_reading(machine.a));
    EXPECT_EQ(t.row(n, 3)[1].reading, machine.host + formulas.p.sync);
    EXPECT_EQ(t.row(n, 3)[2].reading, formulas.sync_reading(machine.b));
  }
}

TEST_P(ClosedForms, EventReadsFromMarkToMarkAndPaysForTheMarks) {
  const WayIterations t = take(PipelineWay::event);
  const Formulas::Events expected = formulas.events();
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(t.iterations[n].latency(), expected.latency);
    EXPECT_EQ(t.row(n, 3)[0].reading, expected.a);
    EXPECT_EQ(t.row(n, 3)[1].reading, machine.host);
    EXPECT_EQ(t.row(n, 3)[2].reading, expected.b);
  }
}

TEST_P(ClosedForms, EventsWithAWaitReadStagesThatNoLongerOverlap) {
  const WayIterations t = take(PipelineWay::event_wait);
  const Formulas::Events expected = formulas.events_and_waits();
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(t.iterations[n].latency(), expected.latency);
    EXPECT_EQ(t.row(n, 3)[0].reading, expected.a);
    EXPECT_EQ(t.row(n, 3)[1].reading, machine.host);
    EXPECT_EQ(t.row(n, 3)[2].reading, expected.b);
  }
}

TEST_P(ClosedForms, MarksLieOnTheHostsTimeLineWithinTheirUncertainty) {
  const WayIterations t = take(PipelineWay::event);
  EXPECT_EQ(t.uncertainty, (formulas.p.mark + formulas.p.mark_gpu + formulas.p.sync) / 2);
  EXPECT_TRUE(t.within_reach);
  for (std::size_t n = 0; n < 3; ++n) {
    const StageTimes& a = t.row(n, 3)[0];
    EXPECT_LE(std::chrono::abs(a.device_begin - (formulas.p.mark + formulas.p.mark_gpu)), t.uncertainty);
    EXPECT_EQ(a.device_end - a.device_begin, a.reading);
  }
}

INSTANTIATE_TEST_SUITE_P(Machines, ClosedForms, ::testing::Range(std::size_t{0}, std::size(kPipelineMachines)));

// Two streams: B on the second waits for A on the first, C on the first does not.
TEST(TwoStreams, WaitForEachOtherOnTheDeviceOnlyWhereTheyMust) {
  Pipeline p = simulated_pipeline("sync=5us");
  const std::size_t one = add_lane(p, "one"), two = add_lane(p, "two");
  const Kernels a{10, 20us, 1us}, b{10, 10us, 1us}, c{10, 5us, 1us};
  add_kernels(p, "A", one, a);
  add_kernels(p, "B", two, b);
  add_kernels(p, "C", one, c);
  resolve_after(p, 1, {"A"});
  EXPECT_EQ(p.stages[1].after, (std::vector<std::size_t>{0}));
  EXPECT_TRUE(p.stages[0].awaited);
  PipelineTimer timer(p, 1);
  WayIterations plain, marked;
  timer.take(PipelineWay::undisturbed, 0, 0, alone, plain);
  timer.take(PipelineWay::event, 0, 1, alone, marked);
  // A ends at 1 + 200; B then works for 100 µs on its stream while C works for 50 µs on the other.
  EXPECT_EQ(plain.iterations[0].latency(), 1us + 200us + 100us + 5us);
  EXPECT_EQ(marked.iterations[0].latency(), plain.iterations[0].latency());
  EXPECT_EQ(marked.row(0, 3)[0].reading, 201us);  // from before the first launch
  EXPECT_EQ(marked.row(0, 3)[2].reading, 50us);
}

TEST(HostStage, WaitsForAStageOnAStreamThatItNames) {
  Pipeline p = simulated_pipeline("sync=5us,mark=1us");
  const std::size_t one = add_lane(p, "one");
  add_kernels(p, "A", one, {10, 20us, 1us});
  add_host(p, "H", 30us);
  resolve_after(p, 1, {"A"});
  PipelineTimer timer(p, 1);
  // 1 + 200 µs of work, the wait, the host's 30 µs, the wait at the end.
  EXPECT_EQ(timer.run_once(), 201us + 5us + 30us + 5us);
}

TEST(ResolveAfter, LeavesOutWhatOrderAloneGivesAndRefusesUnknownNames) {
  Pipeline p = simulated_pipeline("sync=5us");
  const std::size_t one = add_lane(p, "one");
  add_kernels(p, "A", one, {1, 1us, 1us});
  add_host(p, "H", 1us);
  add_kernels(p, "B", one, {1, 1us, 1us});
  resolve_after(p, 2, {"A", "H"});
  EXPECT_TRUE(p.stages[2].after.empty());
  EXPECT_FALSE(p.stages[0].awaited);
  EXPECT_THROW(resolve_after(p, 2, {"C"}), Error);
  EXPECT_THROW(resolve_after(p, 0, {"B"}), Error);
}

TEST(Turn, EndsWithWhatThereIsWhenItIsStopped) {
  Pipeline p = simulated_pipeline("sync=5us");
  add_kernels(p, "A", add_lane(p, "one"), {1, 1us, 1us});
  PipelineTimer timer(p, 10);
  WayIterations taken;
  int asked = 0;
  LocalConductor conductor([&] { return ++asked == 4; });
  EXPECT_FALSE(timer.take(PipelineWay::event, 0, 0, conductor, taken));
  EXPECT_EQ(taken.iterations.size(), 4u);
}

TEST(PipelineWays, SayWhenTheirMarksAreRead) {
  EXPECT_NE(describe(PipelineWay::event).find("read after each turn"), std::string_view::npos);
}

// Every wait gives the lock away, and somebody else has it when it is to be taken again.
TEST(PipelineTimer, DoesNotTimeTheWaitForALock) {
  const auto readings = [](bool contended, PipelineWay way) {
    Pipeline p = simulated_pipeline("sync=6us");
    const std::size_t main = add_lane(p, "main");
    add_kernels(p, "A", main, {20, 5us, 2us});
    add_host(p, "H", 50us);
    for (PipelineStage& s : p.stages) s.work = std::make_unique<testing::LockedWork>(std::move(s.work));
    testing::ContendedLock lock(p.device->clock());
    std::optional<LendWhileWaiting> lend;
    if (contended) lend.emplace(lock);
    PipelineTimer timer(p, 3);
    WayIterations taken;
    timer.take(way, 0, 0, alone, taken);
    std::vector<nanoseconds> all;
    for (const StageTimes& t : taken.row(2, 2)) all.push_back(t.reading);
    if (way == PipelineWay::undisturbed) all.push_back(taken.iterations[2].latency());
    return all;
  };
  for (const PipelineWay way :
       {PipelineWay::undisturbed, PipelineWay::sync, PipelineWay::event, PipelineWay::event_wait})
    EXPECT_EQ(readings(true, way), readings(false, way)) << name(way);
}

}  // namespace
}  // namespace strobe

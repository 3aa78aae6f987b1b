// SPDX-License-Identifier: Apache-2.0
#include "measure/closed_form.h"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "measure/method_axes.h"
#include "measure/method_rows.h"
#include "testing/watched_work.h"
#include "workload/simulated_workload.h"

namespace strobe {
namespace {

// A dozen kinds of machine and work: host-bound, device-bound, balanced, marks and waits free and dear, one kernel,
// many.
constexpr const char* kMachines[] = {
    "launch=5us,kernels=20x1us",
    "launch=1us,kernels=20x5us",
    "launch=5us,kernels=20x1us,mark=1us,sync=6us",
    "launch=1us,kernels=20x5us,mark=1us,sync=6us",
    "launch=5us,kernels=20x1us,mark=1us,mark_gpu=2us,sync=6us",
    "launch=1us,kernels=20x5us,mark=2us,mark_gpu=3us,sync=10us",
    "launch=3us,kernels=1x100us,mark=1us,mark_gpu=1us,sync=5us",
    "launch=7us,kernels=1x2us,mark=1us,mark_gpu=1us,sync=5us",
    "launch=4us,kernels=200x2us,mark=1us,sync=6us,copy_in=60us,copy_out=5us",
    "launch=2us,kernels=50x40us,mark=1us,sync=6us,copy_in=900us,copy_out=70us",
    "launch=10us,kernels=3x9us,mark=500ns,sync=2us",
    "launch=0,kernels=10x10us,mark=0,sync=0",
    "launch=1us,kernels=20x5us,pause=1500ns,mark=1us,sync=6us",
    "launch=5us,kernels=20x1us,pause=1500ns,mark=1us,mark_gpu=2us,sync=6us",
    "launch=13us,kernels=7x11us,mark=1us,mark_gpu=29us,sync=17us,copy_in=3us",
    "launch=1us,kernels=20x5us,mark=1us,sync=6us,queue=100",
    "launch=2us,kernels=50x3us,mark=1us,mark_gpu=1us,sync=6us,queue=1020",
    "launch=5us,kernels=20x1us,mark=1us,sync=6us,queue=21",
};

std::vector<MethodRow> every_method() {
  std::vector<MethodRow> rows;
  for (const auto methods : {named_methods(), special_methods()}) {
    for (const NamedMethod& n : methods) rows.push_back({n.method, std::string(n.method.name)});
  }
  rows.push_back({first_call().method, "first-call"});
  for (const Pass& p : {kLatencyPass, kPeriodPass}) rows.push_back({p.method, std::string(p.metric)});
  for (const auto wait : {Method::Wait::none, Method::Wait::event, Method::Wait::stream, Method::Wait::device}) {
    rows.push_back({{.name = "host", .wait = wait}, "host"});
    for (const auto read : {Method::Read::request, Method::Read::end}) {
      rows.push_back({{.name = "device", .clock = Method::Clock::device, .wait = wait, .read = read}, "device"});
    }
  }
  return rows;
}

// Nanoseconds. A block is divided; the rate of a full queue is one of all requests, and a host that is slower by a
// little takes some of them to use up what it had queued.
double tolerance(const Method& m, double expected) {
  if (m.scope == Method::Scope::block) return 1;
  return m.queue == Method::Queue::full && m.clock == Method::Clock::host ? 0.01 * expected : 0;
}

// The names of the rows that could be used, each of which read what the formula says.
std::vector<std::string> compare_with_formulas(const char* machine, std::size_t input_sets) {
  SimulatedDevice device(parse_sim(machine));
  SimulatedWorkload work(device, false, StreamLevel::any, input_sets);
  const MethodRows result = time_by_methods(work, {every_method(), 5, 200});
  EXPECT_EQ(result.block, 40u);
  std::vector<std::string> compared;
  for (const MethodRow& row : result.rows) {
    if (!row.error.empty()) continue;
    EXPECT_FALSE(row.readings.empty()) << row.name;
    if (row.readings.empty()) continue;
    std::vector<double> sorted = row.readings;
    std::sort(sorted.begin(), sorted.end());
    const double expected = to_double(closed_form(device.parameters(), row.method, 40, input_sets));
    EXPECT_NEAR(sorted[sorted.size() / 2], expected, tolerance(row.method, expected)) << row.name;
    compared.push_back(row.name);
  }
  return compared;
}

class ClosedForm : public ::testing::TestWithParam<const char*> {};

TEST_P(ClosedForm, IsWhatEveryMethodReadsToTheNanosecond) {
  EXPECT_GE(compare_with_formulas(GetParam(), 2).size(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Machines, ClosedForm, ::testing::ValuesIn(kMachines));

// The same with a cache that holds five sets of inputs, of which there are fewer, as many, more, and one alone; misses
// that the device hides, and such that decide.
TEST_P(ClosedForm, IsWhatEveryMethodReadsWithACacheToTheNanosecond) {
  for (const char* miss : {"miss=3us", "miss=170us"}) {
    const std::string machine = std::string(GetParam()) + ",cache=5MB,input=1MB," + miss;
    for (const std::size_t sets : {2u, 5u, 6u, 1u}) {
      SCOPED_TRACE(miss + (", " + std::to_string(sets)) + " sets");
      const auto compared = compare_with_formulas(machine.c_str(), sets);
      for (const char* row : {"gated-cold", "sync-cold", "gated-same", "sync-same"}) {
        const bool usable = sets > 1 || !std::string_view(row).ends_with("same");
        EXPECT_EQ(std::count(compared.begin(), compared.end(), row), usable ? 1 : 0) << row;
      }
    }
  }
}

TEST(ClosedForm, HasNothingInACacheThatIsSmallerThanOneInput) {
  const char* machine = "launch=1us,kernels=20x5us,copy_in=2us,mark=1us,sync=6us,cache=1MB,input=2MB,miss=30us";
  EXPECT_GE(compare_with_formulas(machine, 2).size(), 20u);
  const SimParameters p = parse_sim(machine);
  Method same = kDeviceTimePass.method;
  same.same_input = true;
  EXPECT_EQ(closed_form(p, same, 40), 130us);
}

TEST(ClosedForm, KnowsWhatTheCacheDoesByHand) {
  const SimParameters p = parse_sim("launch=1us,kernels=20x5us,sync=6us,cache=5MB,input=1MB,miss=30us");
  const auto reading = [&](std::string_view name, std::size_t sets) {
    for (const auto methods : {named_methods(), special_methods()}) {
      for (const NamedMethod& n : methods) {
        if (n.method.name == name) return closed_form(p, n.method, 10, sets);
      }
    }
    return 0ns;
  };
  EXPECT_EQ(reading("gated", 5), 100us);
  EXPECT_EQ(reading("gated", 6), 130us);  // the cliff
  EXPECT_EQ(reading("gated-same", 6), 100us);
  EXPECT_EQ(reading("gated-cold", 2), 130us);
  EXPECT_EQ(reading("sync", 2), 107us);
  EXPECT_EQ(reading("sync-cold", 2), 137us);
  EXPECT_EQ(reading("naive", 6), 20us);  // it sees nothing of it
}

double median_of(std::vector<double> readings) {
  std::sort(readings.begin(), readings.end());
  return readings[readings.size() / 2];
}

// Every combination of the axes that a simulated device can tell apart.
std::vector<Method> all_combinations() {
  std::vector<Method> all;
  for (const auto clock : {Method::Clock::host, Method::Clock::device})
    for (const auto wait : {Method::Wait::none, Method::Wait::event, Method::Wait::stream, Method::Wait::device})
      for (const auto read : {Method::Read::request, Method::Read::end})
        for (const auto scope : {Method::Scope::request, Method::Scope::block})
          for (const auto queue : {Method::Queue::drained, Method::Queue::gated, Method::Queue::full})
            for (const auto form : {Method::Form::eager, Method::Form::graph})
              for (const unsigned more : {0U, 1U, 2U, 4U, 8U, 3U, 5U, 6U, 7U, 12U})
                all.push_back({.name = "x",
                               .clock = clock,
                               .wait = wait,
                               .read = read,
                               .scope = scope,
                               .queue = queue,
                               .form = form,
                               .copies = (more & 1U) != 0,
                               .cold = (more & 2U) != 0,
                               .same_input = (more & 4U) != 0,
                               .second = (more & 8U) != 0});
  return all;
}

class EveryCombination : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryCombination, ReadsItsFormulaOrIsRefusedWithASentence) {
  SimulatedDevice device(parse_sim(GetParam()));
  SimulatedWorkload work(device);
  std::vector<MethodRow> rows;
  for (const Method& m : all_combinations()) rows.push_back({m, method_text(m)});
  const MethodRows result = time_by_methods(work, {rows, 5, 100});
  std::size_t read = 0, refused = 0;
  for (const MethodRow& row : result.rows) {
    if (!row.error.empty()) {
      ++refused;
      continue;
    }
    ASSERT_FALSE(row.readings.empty()) << row.name;
    const double expected = to_double(closed_form(device.parameters(), row.method, 20));
    EXPECT_NEAR(median_of(row.readings), expected, tolerance(row.method, expected)) << row.name;
    ++read;
  }
  EXPECT_GE(read, 500u);
  EXPECT_GE(refused, 500u);
}

INSTANTIATE_TEST_SUITE_P(Machines, EveryCombination,
                         ::testing::Values("launch=5us,kernels=20x1us,mark=1us,mark_gpu=2us,sync=6us,copy_in=60us,"
                                           "copy_out=5us,flush=30us",
                                           "launch=1us,kernels=20x5us,mark=1us,sync=6us,copy_in=60us,copy_out=5us,"
                                           "flush=300us",
                                           "launch=10us,kernels=3x9us,mark=500ns,sync=2us,copy_in=7us,flush=60us",
                                           "launch=2us,kernels=20x4us,mark=1us,sync=6us,copy_in=9us,copy_out=3us,"
                                           "cache=1MB,input=1MB,miss=30us"));

TEST(ClosedForm, OfAHostThatFillsTheQueueIsThatOfEachOfItsRequests) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=20x5us,mark=1us,sync=6us,queue=200"));
  SimulatedWorkload work(device);
  const Method naive{.name = "naive", .wait = Method::Wait::none};
  const MethodRows r = time_by_methods(work, {{{naive, "naive"}}, 5, 100});
  // Launch i waits once i > (200 · 5 − 1) / (5 − 1) = 249.75: in the 13th request, whose 10 last launches wait. One
  // request of each round is not counted.
  std::vector<double> round(11, 20'000);
  const double until_13th = 1e3 + (13 * 20 - 200) * 5e3;
  round.push_back(until_13th - 12 * 20e3);
  round.resize(20, 100'000);
  std::vector<double> expected;
  for (int i = 0; i < 5; ++i) expected.insert(expected.end(), round.begin(), round.end());
  EXPECT_EQ(r.rows[0].readings, expected);
}

TEST(ClosedForm, KnowsHowManyRequestsFillTheQueue) {
  EXPECT_EQ(requests_until_full(parse_sim("launch=1us,kernels=20x5us,queue=200")), 12);
  EXPECT_EQ(requests_until_full(parse_sim("launch=1us,kernels=20x5us")), std::nullopt);
  EXPECT_EQ(requests_until_full(parse_sim("launch=5us,kernels=20x1us,queue=200")), std::nullopt);
}

// The host is the slower side of each kernel, and the device that of each request: kernel 21 is done at 5 + 21 + 2 ·
// 170 = 366 µs, when launch 61 = 21 + 40 waits for it, which could begin at 300; the 19 behind it wait no more.
TEST(ClosedForm, OfAFullQueueOfRequestsThatMissIsThatOfEachOfThem) {
  const char* machine = "launch=5us,kernels=20x1us,queue=40,cache=1MB,input=1MB,miss=170us";
  SimulatedDevice device(parse_sim(machine));
  SimulatedWorkload work(device);
  const Method naive{.name = "naive", .wait = Method::Wait::none};
  const MethodRows r = time_by_methods(work, {{{naive, "naive"}}, 5, 30});
  std::vector<double> round{100'000, 100'000, 366e3 + 19 * 5e3 - 300e3}, expected;
  round.resize(6, 190'000);
  for (int i = 0; i < 5; ++i) expected.insert(expected.end(), round.begin(), round.end());
  EXPECT_EQ(r.rows[0].readings, expected);
  EXPECT_EQ(requests_until_full(parse_sim(machine)), 3);
  EXPECT_EQ(requests_until_full(parse_sim(machine), 1), std::nullopt);  // one input is always there
  EXPECT_EQ(requests_until_full(parse_sim("launch=1us,kernels=20x5us,queue=200,cache=1MB,input=1MB,miss=100us")), 11);
}

TEST(ClosedForm, OfTheFirstRequestHasItsMissByEveryClock) {
  std::vector<MethodRow> rows;
  for (const auto clock : {Method::Clock::host, Method::Clock::device}) {
    for (const auto wait : {Method::Wait::none, Method::Wait::event}) {
      const Method m{.name = "x", .clock = clock, .wait = wait, .warmup = false, .once = true};
      if (clock == Method::Clock::host || wait == Method::Wait::event) rows.push_back({m, method_text(m)});
    }
  }
  for (const char* kernels : {"launch=1us,kernels=20x5us", "launch=5us,kernels=20x1us"}) {
    SimulatedDevice device(
        parse_sim(std::string(kernels) + ",mark=1us,mark_gpu=2us,sync=6us,first=9ms,cache=9MB,input=1MB,miss=170us"));
    SimulatedWorkload work(device);
    const MethodRows r = time_by_methods(work, {rows, 5, 45});
    for (const MethodRow& row : r.rows) {
      ASSERT_EQ(row.readings.size(), 1u) << row.name << row.error;
      EXPECT_EQ(row.readings[0], to_double(closed_form(device.parameters(), row.method, 9))) << row.name;
    }
  }
}

TEST(MethodRows, SayAfterHowManyRequestsTheQueueWasFull) {
  const auto queue_of = [](const char* machine, std::size_t requests) {
    SimulatedDevice device(parse_sim(machine));
    SimulatedWorkload work(device);
    const Method naive{.name = "naive", .wait = Method::Wait::none};
    return time_by_methods(work, {{{naive, "naive"}}, 5, requests}).rows[0].full_queue;
  };
  const auto q = queue_of("launch=1us,kernels=20x5us,mark=1us,sync=6us,queue=200", 100);
  ASSERT_TRUE(q);
  EXPECT_EQ(q->after, 12u);
  EXPECT_NEAR(q->in_flight, 200.0 / 20, 0.5);
  EXPECT_EQ(q->free_ns, 20'000);
  EXPECT_EQ(q->full_ns, 100'000);
  EXPECT_FALSE(queue_of("launch=1us,kernels=20x5us,mark=1us,sync=6us", 100));
  EXPECT_FALSE(queue_of("launch=1us,kernels=20x5us,mark=1us,sync=6us,queue=200", 50)) << "ten do not fill it";
}

TEST(ClosedForm, IsThatOfTheTextbookCases) {
  const SimParameters host = parse_sim("launch=5us,kernels=20x1us"), device = parse_sim("launch=1us,kernels=20x5us");
  for (const NamedMethod& n : named_methods()) {
    const nanoseconds h = closed_form(host, n.method, 10), d = closed_form(device, n.method, 10);
    if (n.method.name == "naive") {
      EXPECT_EQ(h, 100us);
      EXPECT_EQ(d, 20us);
    }
    if (n.method.name == "event") {
      EXPECT_EQ(h, 101us);
      EXPECT_EQ(d, 101us);
    }
    if (n.method.name == "gated" || n.method.name == "graph") {
      EXPECT_EQ(h, 20us);
      EXPECT_EQ(d, 100us);
    }
    if (n.method.name == "graph-event") {
      EXPECT_EQ(h, 25us);
      EXPECT_EQ(d, 101us);
    }
    if (n.method.name == "event-queued") {
      EXPECT_EQ(h, 100us);
      EXPECT_EQ(d, 100us);
    }
    if (n.method.name == "block-host") {
      EXPECT_EQ(h, 100'100ns);
      EXPECT_EQ(d, 100'100ns);
    }
  }
}

TEST(MethodRows, RefuseTheOneInvalidCombinationAndSayWhy) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  SimulatedWorkload work(device);
  const Method invalid{
      .name = "x", .clock = Method::Clock::device, .wait = Method::Wait::none, .read = Method::Read::request};
  const MethodRows r = time_by_methods(work, {{{invalid, "x"}}, 5, 45});
  EXPECT_EQ(r.rows[0].error, "the device has not reached the mark yet");
}

TEST(MethodRows, CountTheColdRequestsWhereThereIsNoWarmUp) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,first=9ms"));
  SimulatedWorkload work(device);
  const Method cold{.name = "x", .wait = Method::Wait::stream, .warmup = false};
  const MethodRows r = time_by_methods(work, {{{cold, "x"}, {kLatencyPass.method, "y"}}, 5, 45});
  EXPECT_EQ(r.rows[0].readings.size(), 45u);
  EXPECT_EQ(r.rows[0].readings[0], 9'101'000);
  EXPECT_EQ(r.rows[1].readings[0], 101'000);
}

TEST(MethodRows, ShareTheColdRequestsOutOverTheFirstBlock) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,first=9ms"));
  SimulatedWorkload work(device);
  const Method cold{.name = "x", .wait = Method::Wait::device, .scope = Method::Scope::block, .warmup = false};
  const MethodRows r = time_by_methods(work, {{{cold, "x"}}, 5, 50});
  ASSERT_EQ(r.rows[0].readings.size(), 5u);
  EXPECT_NEAR(r.rows[0].readings[0], (9'101'000 + 4 * 101'000 + 5 * 100'100) / 10.0, 1);
  EXPECT_NEAR(r.rows[0].readings[1], 100'100, 1);
}

TEST(MethodRows, ReadTheFirstCallOnceAndBeforeAllOthers) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=20x5us,mark=1us,sync=6us,first=9ms"));
  SimulatedWorkload work(device);
  const MethodRows r =
      time_by_methods(work, {{{first_call().method, "first-call"}, {kLatencyPass.method, "y"}}, 0, 45});
  EXPECT_EQ(r.rows[0].readings, std::vector<double>{9'020'000});
  EXPECT_EQ(r.first_ns, 9'000'000 + 107'000);  // with a wait
}

TEST(MethodRows, StopTheColdClockWhereTheMethodDoes) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=20x5us,first=9ms"));
  SimulatedWorkload work(device);
  const Method naive{.name = "x", .wait = Method::Wait::none, .warmup = false};
  EXPECT_EQ(time_by_methods(work, {{{naive, "x"}}, 5, 45}).rows[0].readings[0], 9'020'000);
}

TEST(MethodRows, ReadAsManyRequestsAsAskedForEvenIfRoundsCannotShareThemEqually) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  SimulatedWorkload work(device);
  EXPECT_EQ(time_by_methods(work, {{{kLatencyPass.method, "x"}}, 5, 47}).rows[0].readings.size(), 47u);
}

TEST(MethodRows, DoNotCountTheRequestThatFindsTheQueueEmpty) {
  SimulatedDevice device(parse_sim("launch=1us,kernels=20x5us"));
  SimulatedWorkload work(device);
  const Method queued{.name = "x", .clock = Method::Clock::device, .wait = Method::Wait::none};
  const MethodRows r = time_by_methods(work, {{{queued, "x"}}, 5, 45});
  EXPECT_EQ(r.rows[0].readings, std::vector<double>(45, 100'000));  // 101 µs on an idle device: it waits for a launch
}

TEST(MethodRows, RefuseAGraphWhereNoneCanBeCaptured) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us,hidden_sync=1"));
  SimulatedWorkload work(device);
  const Method graph{.name = "x", .clock = Method::Clock::device, .form = Method::Form::graph};
  const MethodRows r = time_by_methods(work, {{{graph, "x"}}, 5, 45});
  EXPECT_EQ(r.rows[0].error, "the workload synchronises, which a capture does not allow");
}

TEST(MethodRows, ForgetWhatAGateReadOnceTheWorkloadWaitsForItself) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  WatchedWork work(device);
  work.waits_from = 3ms;  // after the first round
  const MethodRows r = time_by_methods(work, {{{kDeviceTimePass.method, "x"}, {kLatencyPass.method, "y"}}, 5, 45});
  EXPECT_EQ(r.rows[0].error, "the workload waits for its own work behind the gate");
  EXPECT_TRUE(r.rows[0].readings.empty());
  EXPECT_EQ(r.rows[1].readings.size(), 45u);
}

TEST(MethodRows, TellAQueueWithoutRoomFromWorkThatWaits) {
  const auto why_not = [](const char* text) {
    SimulatedDevice device(parse_sim(text));
    SimulatedWorkload work(device);
    return time_by_methods(work, {{{kDeviceTimePass.method, "x"}, {kLatencyPass.method, "y"}}, 5, 45}).rows[0].error;
  };
  EXPECT_EQ(
      why_not("launch=1us,kernels=1200x1us,queue=1000"),
      "a request launches 1200 kernels, and the device's queue has room for 1000: they cannot all be queued before "
      "it starts");
  EXPECT_NE(why_not("launch=1us,kernels=20x1us,queue=1000,hidden_sync=1").find("waits for its own work"),
            std::string::npos);
  EXPECT_EQ(why_not("launch=1us,kernels=600x1us,queue=1000"), "");
}

TEST(MethodRows, RefuseARowByTheGateOfItsOwnForm) {
  constexpr Method kGraph = kReplayPass.method, kEager = kDeviceTimePass.method;
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  WatchedWork eager_waits(device);
  eager_waits.waits_from = 0ns;
  MethodRows r = time_by_methods(eager_waits, {{{kEager, "x"}, {kGraph, "y"}}, 5, 45});
  EXPECT_NE(r.rows[0].error.find("waits for its own work"), std::string::npos);
  EXPECT_EQ(r.rows[1].error, "");
  EXPECT_EQ(r.rows[1].readings, std::vector<double>(45, 20'000));

  WatchedWork graph_waits(device);
  graph_waits.graph_waits_from = 0ns;
  r = time_by_methods(graph_waits, {{{kEager, "x"}, {kGraph, "y"}}, 5, 45});
  EXPECT_EQ(r.rows[0].error, "");
  EXPECT_NE(r.rows[1].error.find("so nothing can be queued ahead of it"), std::string::npos);
}

// Its device fails for good after so many requests.
class Breaking final : public Workload {
 public:
  Breaking(SimulatedDevice& device, std::size_t requests) : work_(device), left_(requests) {}
  void submit(std::size_t request) override {
    if (left_-- == 0) throw Error(ErrorCode::device_lost, "the device failed");
    work_.submit(request);
  }
  Stream& stream() override { return work_.stream(); }

 private:
  SimulatedWorkload work_;
  std::size_t left_;
};

TEST(ClosedForm, WhatWasReadBeforeTheDeviceFailedIsKept) {
  SimulatedDevice device(parse_sim("launch=5us,kernels=20x1us"));
  Breaking late(device, 120), soon(device, 12);
  const std::vector<MethodRow> rows{{kLatencyPass.method, "x"}, {kSpanPass.method, "y"}};
  const MethodRows r = time_by_methods(late, {rows, 5, 100});
  EXPECT_NE(r.failure.find("the device failed"), std::string::npos);
  EXPECT_FALSE(r.rows[0].readings.empty());
  EXPECT_THROW(time_by_methods(soon, {rows, 5, 100}), Error);
}

}  // namespace
}  // namespace strobe

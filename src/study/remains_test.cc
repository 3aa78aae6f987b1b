// SPDX-License-Identifier: Apache-2.0
// A candidate or a request that does not end: another thread takes a record of what there is.
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "host/salvage.h"
#include "study/compare/compare.h"
#include "study/methods.h"
#include "testing/stuck.h"
#include "testing/virtual_cpu.h"

namespace strobe {
namespace {

using strobe::testing::Stuck;

// Work of 1 ms on a clock that only requests move.
OpenOptions open_virtual(const std::shared_ptr<VirtualCpu>& device) {
  OpenOptions o;
  o.model = "work:sleep=1ms";
  o.device = "cpu";
  o.on = device;
  return o;
}

// Measures on a thread that gets stuck, takes what there is and ends the process with what `answer` makes of it, as the
// program does; 100 where there is nothing.
template <class Measure, class Answer>
[[noreturn]] void exit_with(Stuck& stick, const Measure& measure, const Answer& answer) {
  Salvage salvage;
  std::thread([&] { measure(&salvage); }).detach();
  stick.wait_until_stuck();
  const std::optional<Record> record = salvage.take();
  if (!record) ::_exit(100);
  ::_exit(record->status == Status::interrupted ? answer(*record) : 255);
}

// The pairs of a comparison whose second candidate is stuck once `phase` begins.
[[noreturn]] void exit_with_pairs(const std::string& phase) {
  const auto quick = std::make_shared<VirtualCpu>(), stuck = std::make_shared<VirtualCpu>();
  Stuck stick;
  stuck->clock().on_sleep = [&] { stick(); };
  ComparePlan o;
  o.pairs = 8;
  o.in_process = true;
  o.candidates.resize(2);
  o.candidates[0].name = "quick";
  o.candidates[0].run.open = open_virtual(quick);
  o.candidates[1].name = "stuck";
  o.candidates[1].run.open = open_virtual(stuck);
  o.progress = [&](const Progress& p) {
    if (p.phase == phase) stick.arm();
  };
  const auto measure = [&](Salvage* salvage) {
    o.salvage = salvage;
    compare(o);
  };
  exit_with(stick, measure, [](const Record& r) {
    const bool whole = r.cases.size() == 2 && r.rounds == kTurnsOfPair * r.comparisons.at(0).pairs;
    return whole ? static_cast<int>(r.comparisons[0].pairs) : 255;
  });
}

TEST(CompareRemains, AreNothingBeforeTheFirstPair) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_pairs("loading stuck, pair 1 of 8"), ::testing::ExitedWithCode(100), "");
}

TEST(CompareRemains, ArePairsBeforeATurnThatDoesNotEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_pairs("comparing, pair 4 of 8"), ::testing::ExitedWithCode(3), "");
}

TEST(CompareRemains, ArePairsBeforeALoadThatDoesNotEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_pairs("loading stuck, pair 5 of 8"), ::testing::ExitedWithCode(4), "");
}

// How often 'request' was read when it is stuck in `phase`; 40 were asked for.
[[noreturn]] void exit_with_readings(const std::string& phase) {
  const auto device = std::make_shared<VirtualCpu>();
  Stuck stick;
  device->clock().on_sleep = [&] { stick(); };
  MethodsPlan o;
  o.open = open_virtual(device);
  o.requests = 40;
  o.progress = [&](const Progress& p) {
    if (p.phase == phase) stick.arm();
  };
  const auto measure = [&](Salvage* salvage) {
    o.salvage = salvage;
    compare_methods(o);
  };
  exit_with(stick, measure, [](const Record& r) {
    const Metric& reading = r.cases.at(0).metrics.at("reading");
    return reading.estimate.value == 1e6 && r.cases.at(0).name == "request" ? static_cast<int>(reading.n) : 255;
  });
}

TEST(MethodsRemains, AreNothingInTheFirstRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_readings("first request"), ::testing::ExitedWithCode(100), "");
}

TEST(MethodsRemains, AreTheRoundsBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_readings("round 3 of 5, block"), ::testing::ExitedWithCode(24), "");
}

}  // namespace
}  // namespace strobe

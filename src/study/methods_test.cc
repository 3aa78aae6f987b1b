// SPDX-License-Identifier: Apache-2.0
// What `strobe methods` makes of the readings: rows that are chosen, listings, and what is compared with what.
#include "study/methods.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "measure/closed_form.h"
#include "measure/method_axes.h"
#include "study/merge_launches.h"
#include "study/method_table.h"

namespace strobe {
namespace {

constexpr const char* kHostBound = "sim:launch=5us,kernels=20x1us,mark=1us,sync=6us,first=9ms";

Record with_methods(const char* model, const MethodsOptions& o) {
  check_methods(o);
  MethodsPlan plan{o, {}};
  plan.open.model = model;
  return compare_methods(plan);
}

std::string complaint(const MethodsOptions& o) {
  try {
    with_methods(kHostBound, o);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    return e.what();
  }
  return {};
}

TEST(ChosenMethods, AreTheOnlyRowsAndReadTheirFormula) {
  const std::vector<std::string> texts{"clock=device,wait=none,scope=block,queue=full",
                                       "clock=host,wait=device,scope=block,queue=full", "wait=event,queue=full"};
  const Record r = with_methods(kHostBound, {.method = texts, .requests = 50});
  ASSERT_EQ(r.cases.size(), texts.size());
  const SimParameters p = parse_sim(std::string_view(kHostBound).substr(4));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Method m = parse_method(texts[i]);
    EXPECT_EQ(r.cases[i].name, method_text(m));
    EXPECT_EQ(r.cases[i].group, "chosen");
    const double expected = to_double(closed_form(p, m, 10));
    EXPECT_NEAR(r.cases[i].metrics.at("reading").estimate.value, expected, 0.01 * expected) << texts[i];
  }
}

TEST(ChosenMethods, AreShownBesideThoseThatAreNamed) {
  const Record r = with_methods(kHostBound, {.methods = {"sync"}, .method = {"wait=event"}});
  ASSERT_EQ(r.cases.size(), 2u);
  EXPECT_EQ(r.cases[0].name, "sync");
  EXPECT_EQ(r.cases[1].name, "wait=event");
}

TEST(ChosenMethods, AreRowsWithTheReasonWhereACombinationHasNoMeaning) {
  const Record r = with_methods(kHostBound, {.method = {"clock=device,wait=none,read=request", "queue=gated"}});
  EXPECT_EQ(r.cases.at(0).error, "the device has not reached the mark yet");
  EXPECT_EQ(r.cases.at(1).error, "it would count the time for which the gate is held");
}

TEST(ChosenMethods, AreComparedWithAGraphsOwnLatency) {
  const Record r = with_methods(kHostBound, {.method = {"form=graph,wait=device", "wait=device"}});
  EXPECT_TRUE(r.find("replay_latency"));
  EXPECT_EQ(r.cases.at(0).claims, "replay_latency");
  EXPECT_NEAR(*r.cases[0].difference, 0, 1e-9);
  EXPECT_FALSE(with_methods(kHostBound, {.method = {"wait=device"}}).find("replay_latency"));
}

TEST(ChosenMethods, OnTheCpuAreThoseThatNeedNoQueueAndNoSecondClock) {
  const Record r = with_methods("work:spin=100us", {.method = {"wait=event", "clock=device", "wait=event,queue=full"}});
  ASSERT_EQ(r.cases.size(), 3u);
  EXPECT_EQ(r.cases[0].error, "");
  for (const std::size_t i : {1U, 2U}) EXPECT_EQ(r.cases[i].error, "on the CPU the work is done when submit returns");
}

TEST(Methods, RefuseWhatTheyWouldIgnore) {
  EXPECT_NE(complaint({.methods = {"naive"}, .like = "clock"}).find("--like"), std::string::npos);
  EXPECT_NE(complaint({.method = {"wait=none"}, .like = "clock"}).find("--like"), std::string::npos);
  EXPECT_NE(complaint({.like = "clock", .warmup = 9}).find("its own warm-up"), std::string::npos);
  EXPECT_NE(complaint({.like = "list"}).find("events-300"), std::string::npos);
  EXPECT_NE(complaint({.method = {"wait=none", "wait=none,clock=host"}}).find("given twice"), std::string::npos);
  EXPECT_NE(complaint({.method = {"wait=never"}}).find("Take one of"), std::string::npos);
  EXPECT_NE(complaint({.methods = {"nave"}}).find("Did you mean 'naive'?"), std::string::npos);
}

TEST(FirstCall, IsOneRowOfItsOwnAndHeldAgainstTheFirstRequest) {
  const Record r = with_methods(kHostBound, {.methods = {"first-call"}});
  ASSERT_EQ(r.cases.size(), 1u);
  const Case& c = r.cases[0];
  EXPECT_EQ(c.metrics.at("reading").n, 1u);
  EXPECT_EQ(c.metrics.at("reading").estimate.value, 9.1e6);
  EXPECT_EQ(c.statistic, "once");
  EXPECT_EQ(c.claims, "first_request");
  EXPECT_NEAR(*c.difference, 9.1e6 / *r.startup.first_ns - 1, 1e-9);
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].message, "one cold call takes 85 times the latency of a warm one");
  EXPECT_TRUE(with_methods("sim:launch=5us,kernels=20x1us", {.methods = {"first-call"}}).cases.at(0).findings.empty());
  EXPECT_NE(text(r).find("(once)"), std::string::npos) << text(r);
  EXPECT_NE(text(r).find("the very first request"), std::string::npos) << text(r);
}

TEST(Like, PrintsTheLineOfItsToolAndHowFarItIsOff) {
  const Record r = with_methods(kHostBound, {.like = "events-300"});
  ASSERT_EQ(r.cases.size(), 1u);
  const Case& c = r.cases[0];
  EXPECT_EQ(c.prints, "mean 0.101 ms, std 0.000 ms, 9901.0 FPS");
  EXPECT_EQ(c.metrics.at("reading").n, 300u);
  EXPECT_EQ(c.statistic, "mean");
  EXPECT_NEAR(*c.difference, 4.05, 1e-9);
  EXPECT_FALSE(r.settings.contains("warmup"));
  EXPECT_FALSE(r.observations.requests_per_block);
  EXPECT_NE(text(r).find(c.prints), std::string::npos) << text(r);
}

TEST(Like, CountsTheFirstCallWhereTheListingHasNoWarmUp) {
  const Record r = with_methods(kHostBound, {.like = "clock-cold"});
  EXPECT_EQ(r.cases.at(0).prints, "0.190 ms");  // (9,100 + 99 · 100) µs / 100
  EXPECT_EQ(with_methods(kHostBound, {.like = "clock"}).cases.at(0).prints, "0.100 ms");
}

TEST(Like, SaysWhyAListingCannotBeUsed) {
  EXPECT_EQ(with_methods(kHostBound, {.like = "events"}).cases.at(0).error, "the device has not reached the mark yet");
  EXPECT_EQ(with_methods("work:spin=100us", {.like = "do_bench"}).cases.at(0).error,
            "the CPU's caches are not flushed by this version");
  const Record cpu = with_methods("work:spin=100us", {.like = "clock-sync"});
  EXPECT_EQ(cpu.cases.at(0).error, "");
  EXPECT_FALSE(cpu.cases[0].prints.empty());
}

TEST(Like, OverLaunchesPrintsTheLineOfTheOneInTheMiddle) {
  std::vector<Record> launches;
  for (const char* model :
       {"sim:launch=5us,kernels=20x1us", "sim:launch=9us,kernels=20x1us", "sim:launch=7us,kernels=20x1us"})
    launches.push_back(with_methods(model, {.like = "clock"}));
  const Record whole = merge_launches(launches, 0.02);
  EXPECT_EQ(whole.cases.at(0).prints, "0.140 ms");
  EXPECT_EQ(whole.cases[0].statistic, "mean");
}

}  // namespace
}  // namespace strobe

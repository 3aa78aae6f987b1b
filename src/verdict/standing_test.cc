// SPDX-License-Identifier: Apache-2.0
#include "verdict/standing.h"

#include <gtest/gtest.h>

#include "record/deciding.h"

namespace strobe {
namespace {

Metric known_figure(double value) {
  Metric m;
  m.estimate = {value, value, value, true, {}};
  return m;
}

// Device time 400 µs of a span of `span` ns.
Record on_a_queue(double span) {
  Record r;
  r.verb = "run";
  r.device.asynchronous = true;
  for (const char* name : {"latency", "submit", "throughput", "replay_time"}) r.metrics[name] = known_figure(1e6);
  r.metrics["device_time"] = known_figure(400e3);
  r.metrics["span"] = known_figure(span);
  return r;
}

Finding seen(std::string id, Severity severity = Severity::warning) {
  return {.id = std::move(id), .severity = severity, .message = "it was seen"};
}

TEST(Hits, AGateConcernsTheDeviceTimeAlone) {
  const Record r = on_a_queue(400e3);
  EXPECT_TRUE(hits(seen("gate-unsafe"), "device_time", r));
  for (const char* metric : {"latency", "throughput", "replay_time"})
    EXPECT_FALSE(hits(seen("gate-unsafe"), metric, r)) << metric;
}

TEST(Hits, TheHostConcernsWhatItTakesPartIn) {
  Record r = on_a_queue(400e3);
  EXPECT_TRUE(hits(seen("preempted"), "latency", r));
  EXPECT_TRUE(hits(seen("preempted"), "submit", r));
  EXPECT_FALSE(hits(seen("preempted"), "device_time", r));
  EXPECT_FALSE(hits(seen("throttled"), "submit", r));
  EXPECT_TRUE(hits(seen("throttled"), "device_time", r));
}

TEST(Hits, TheHostConcernsTheThroughputOnlyWhereItMayDecideTheSpeed) {
  const Finding finding = seen("preempted");
  for (const char* full : {"throughput", "period", "latency_loaded"}) {
    EXPECT_FALSE(hits(finding, full, on_a_queue(401e3))) << full << ": the device decides it";
    EXPECT_TRUE(hits(finding, full, on_a_queue(800e3))) << full << ": the device waits for the host";
    Record unknown = on_a_queue(401e3);
    unknown.metrics.erase("span");
    EXPECT_TRUE(hits(finding, full, unknown)) << full << ": nobody knows";
    Record cpu = on_a_queue(401e3);
    cpu.device.asynchronous = false;
    EXPECT_TRUE(hits(finding, full, cpu)) << full << ": the host is the device";
  }
}

TEST(Hits, ClocksConcernWhatTheDeviceDecides) {
  const Record by_device = on_a_queue(401e3), by_host = on_a_queue(800e3);
  for (const char* metric : {"device_time", "replay_time"}) {
    EXPECT_TRUE(hits(seen("throttled"), metric, by_device)) << metric;
    EXPECT_TRUE(hits(seen("throttled"), metric, by_host)) << metric;
  }
  for (const char* metric : {"latency", "throughput", "span"}) {
    EXPECT_TRUE(hits(seen("throttled"), metric, by_device)) << metric;
    EXPECT_FALSE(hits(seen("throttled"), metric, by_host)) << metric << ": the host sets it";
  }
  Record unknown = on_a_queue(800e3);
  unknown.metrics.erase("span");
  EXPECT_TRUE(hits(seen("throttled"), "throughput", unknown));
  EXPECT_FALSE(hits(seen("throttled"), "submit", unknown));
}

TEST(Hits, WrongOutputsConcernEverythingAndADriftItsOwnMetric) {
  const Record r = on_a_queue(400e3);
  for (const auto& [name, m] : r.metrics) EXPECT_TRUE(hits(seen("output-mismatch"), name, r)) << name;
  Finding drift = seen("drift");
  drift.metric = "latency";
  EXPECT_TRUE(hits(drift, "latency", r));
  EXPECT_FALSE(hits(drift, "device_time", r));
}

TEST(Deciding, IsTheDeviceWhereItSetsTheSpeedAndTheGraphWhereTheHostDoes) {
  EXPECT_EQ(deciding_metrics(on_a_queue(401e3)), (std::vector<std::string_view>{"device_time", "throughput"}));
  EXPECT_EQ(deciding_metrics(on_a_queue(800e3)), (std::vector<std::string_view>{"device_time", "replay_time"}));
  Record cpu = on_a_queue(400e3);
  cpu.device.asynchronous = false;
  EXPECT_EQ(deciding_metrics(cpu), std::vector<std::string_view>{"latency"});
}

TEST(Standing, OfOneLaunchNeverRepeats) {
  Record r = on_a_queue(400e3);
  tell_standings(r, {});
  for (const auto& [name, m] : r.metrics) EXPECT_EQ(m.verdict->word, Repeat::one_launch) << name;
  r.findings = {seen("gate-unsafe", Severity::invalid)};
  tell_standings(r, {});
  EXPECT_EQ(r.metrics.at("device_time").verdict->word, Repeat::invalid);
  EXPECT_EQ(r.metrics.at("latency").verdict->word, Repeat::one_launch);
}

TEST(Standing, AWordForEachMetricAndAVerdictFromThoseThatDecide) {
  Record r = on_a_queue(800e3);
  r.findings = {{.id = "host-bound", .about = About::workload, .message = "it idles"}};
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.001;
  r.metrics["latency"].estimate = {1e6, 0.7e6, 1.3e6, true, {}};
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("device_time").verdict->word, Repeat::repeats);
  EXPECT_EQ(r.metrics.at("latency").verdict->word, Repeat::varies);
  EXPECT_EQ(r.metrics.at("latency").verdict->cause, "host-bound");
  EXPECT_NEAR(*r.metrics.at("latency").verdict->half_width, 0.3, 1e-9);
  EXPECT_EQ(verdict_of_launches(r), Verdict::trusted);  // the latency is the host's
  r.metrics["device_time"].estimate = {400e3, 380e3, 420e3, true, {}};
  tell_standings(r, 0.02);
  EXPECT_EQ(verdict_of_launches(r), Verdict::caution);
  EXPECT_EQ(r.metrics.at("device_time").verdict->cause, "");
}

TEST(Standing, OfLoadsInOneProcessNeverSpeaksOfTheNextProcess) {
  Record r = on_a_queue(400e3);
  r.one_process = true;
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.001;
  r.metrics["latency"].estimate = {1e6, 0.7e6, 1.3e6, true, {}};
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("device_time").verdict->word, Repeat::repeats_over_loads);
  EXPECT_EQ(r.metrics.at("latency").verdict->word, Repeat::varies_over_loads);
  EXPECT_EQ(verdict_of_launches(r), Verdict::trusted);
  r.findings = {seen("output-mismatch", Severity::invalid)};
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("device_time").verdict->word, Repeat::invalid);
}

TEST(Standing, OfLoadsThatVaryIsADoubtWithItsCause) {
  Record r = on_a_queue(400e3);
  r.one_process = true;
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.03;
  r.metrics["device_time"].estimate = {400e3, 380e3, 420e3, true, {}};
  r.findings = {seen("launch-trend")};
  r.findings[0].metric = "device_time";
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("device_time").verdict->cause, "launch-trend");
  EXPECT_EQ(verdict_of_launches(r), Verdict::caution);
}

TEST(Standing, ATrendOverLaunchesIsTheCauseOfItsOwnMetricAlone) {
  Record r = on_a_queue(400e3);
  for (auto& [name, m] : r.metrics) {
    m.launch_spread = 0.03;
    m.estimate = {1e6, 0.9e6, 1.1e6, true, {}};
  }
  r.findings = {seen("launch-trend")};
  r.findings[0].metric = "device_time";
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("device_time").verdict->cause, "launch-trend");
  EXPECT_EQ(r.metrics.at("latency").verdict->cause, "");
}

TEST(Standing, WhatSpoilsOtherMetricsIsNoDoubtAboutThoseThatDecide) {
  Record r = on_a_queue(800e3);
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.001;
  r.findings = {seen("preempted")};
  tell_standings(r, 0.02);
  EXPECT_EQ(verdict_of_launches(r), Verdict::trusted);
  r.findings = {seen("throttled")};
  EXPECT_EQ(verdict_of_launches(r), Verdict::caution);
  r.findings = {seen("output-mismatch", Severity::invalid)};
  EXPECT_EQ(verdict_of_launches(r), Verdict::invalid);
}

TEST(Standing, ABusyHostIsNoDoubtAboutWhatTheDeviceDecides) {
  Record r = on_a_queue(401e3);
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.001;
  r.findings = {seen("preempted")};
  tell_standings(r, 0.02);
  EXPECT_EQ(verdict_of_launches(r), Verdict::trusted);
  r.device.asynchronous = false;
  EXPECT_EQ(verdict_of_launches(r), Verdict::caution) << "on a CPU it is a doubt about the latency";
}

TEST(Standing, OfAThroughputThatTheHostSetsIsNotExplainedByClocks) {
  Record r = on_a_queue(800e3);
  for (auto& [name, m] : r.metrics) m.launch_spread = 0.03;
  r.metrics["throughput"].estimate = {1e6, 0.7e6, 1.3e6, true, {}};
  r.findings = {seen("throttled")};
  tell_standings(r, 0.02);
  EXPECT_EQ(r.metrics.at("throughput").verdict->cause, "");
}

TEST(Standing, OfWhatWasZeroInEveryLaunchRepeats) {
  Record r;
  r.verb = "run";
  r.metrics["submit"] = known_figure(0);
  r.metrics["submit"].launch_spread = 0;
  tell_standings(r, 0.01);
  EXPECT_EQ(r.metrics["submit"].verdict->word, Repeat::repeats);
  r.metrics["submit"].launch_spread = 2.0;  // it was not in one of them
  tell_standings(r, 0.01);
  EXPECT_EQ(r.metrics["submit"].verdict->word, Repeat::varies);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Each on a window made by hand: one that fires, and a near one that must not; a trifle is a note.
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "verdict/detectors.h"

namespace strobe {
namespace {

// A second, of which the median is known to ±0.1 %: what matters is 1 %.
Record watched() {
  Record r;
  Metric m;
  m.n = 1000;
  m.estimate = {1e6, 0.999e6, 1.001e6, true, {}};
  r.metrics["latency"] = m;
  r.observations.disturbances = Disturbances{.watched_ns = 1e9, .libraries = {}};
  return r;
}

TEST(WindowDetectors, AreSilentWhereNothingWasWatchedOrNothingHappened) {
  for (const Record& r : {Record{}, watched()}) {
    EXPECT_FALSE(loads_inside_timing(r));
    EXPECT_FALSE(page_faults(r));
    EXPECT_FALSE(preempted(r));
    EXPECT_FALSE(cpu_limited(r));
  }
}

TEST(LoadsInsideTiming, NamesTheLibrariesAndIsAWarningWhenRequestsTookLonger) {
  Record r = watched();
  r.observations.disturbances->loads = 1;
  r.observations.disturbances->libraries = {"/usr/lib/liblate.so.1"};
  ASSERT_TRUE(loads_inside_timing(r));
  EXPECT_EQ(loads_inside_timing(r)->severity, Severity::note);
  EXPECT_NE(loads_inside_timing(r)->message.find("once in the measured window (liblate.so.1)"), std::string::npos);
  r.observations.disturbances->loading_share = 0.009;
  EXPECT_EQ(loads_inside_timing(r)->severity, Severity::note);
  r.observations.disturbances->loading_share = 0.011;
  EXPECT_EQ(loads_inside_timing(r)->severity, Severity::warning);
}

TEST(PageFaults, CountATenthOfAMillisecondEach) {
  Record r = watched();
  r.observations.disturbances->major_faults = 9;  // 0.09 % of the time
  EXPECT_FALSE(page_faults(r));
  r.observations.disturbances->major_faults = 90;
  EXPECT_EQ(page_faults(r)->severity, Severity::note);
  r.observations.disturbances->major_faults = 110;
  EXPECT_EQ(page_faults(r)->severity, Severity::warning);
  EXPECT_NEAR(page_faults(r)->evidence.at("effect"), 0.011, 1e-9);
}

TEST(Preempted, CountsTheTimeTheThreadWaitedAgainstItsWill) {
  Record r = watched();
  Disturbances& d = *r.observations.disturbances;
  d.preemptions = d.switches = 600;
  d.waited_ns = 1.9e6;
  EXPECT_FALSE(preempted(r));
  d.waited_ns = 9e6;
  EXPECT_EQ(preempted(r)->severity, Severity::note);
  d.waited_ns = 3e7;
  EXPECT_EQ(preempted(r)->severity, Severity::warning);
  EXPECT_NEAR(preempted(r)->evidence.at("effect"), 0.03, 1e-9);
  d.switches = 100'000;  // it slept many times, and each wake-up took a little
  EXPECT_FALSE(preempted(r));
  d.switches = 600;
  d.waited_ns.reset();  // how long is not known
  EXPECT_FALSE(preempted(r));
}

TEST(Preempted, IsANoteWhenFewRequestsWereHit) {
  Record r = watched();
  Disturbances& d = *r.observations.disturbances;
  d.preemptions = d.switches = 100;
  d.waited_ns = 3e7;  // of 1000 requests
  EXPECT_EQ(preempted(r)->severity, Severity::note);
  EXPECT_NEAR(preempted(r)->evidence.at("effect"), 0.006, 1e-9);
  r.metrics["latency"].n = 100;
  EXPECT_EQ(preempted(r)->severity, Severity::warning);
}

TEST(CpuLimited, IsAWarningWhenTheQuotaTookMoreThanOnePercent) {
  Record r = watched();
  r.observations.disturbances->throttled_ns = 0;
  EXPECT_FALSE(cpu_limited(r));
  r.observations.disturbances->throttled_ns = 9e6;
  EXPECT_EQ(cpu_limited(r)->severity, Severity::note);
  r.observations.disturbances->throttled_ns = 1.1e7;
  EXPECT_EQ(cpu_limited(r)->severity, Severity::warning);
  r.observations.disturbances->throttled_ns = 8e9;  // of eight CPUs together
  EXPECT_EQ(cpu_limited(r)->evidence.at("effect"), 1);
}

using HostDetector = std::optional<Finding> (*)(const Record&);
constexpr HostDetector kOfTheHost[] = {loads_inside_timing, page_faults, preempted,
                                       cpu_limited,         noisy_host,  other_threads};

// The host took 3 % of the window, by any of them.
Record with_a_busy_host() {
  Record r = watched();
  Disturbances& d = *r.observations.disturbances;
  d.loads = 1;
  d.loading_share = 0.03;
  d.major_faults = 300;
  d.preemptions = d.switches = 600;
  d.waited_ns = d.throttled_ns = 3e7;
  r.telemetry.facts["canary_excess"] = 0.031;
  r.model.facts = {{"other_threads", std::int64_t{1}}, {"other_threads_ns", std::int64_t{30'000'000}}};
  r.window_ns = 1e9;
  return r;
}

void know_to(Record& r, const char* metric, double half_width, double value = 1e6) {
  Metric& m = r.metrics[metric];
  m.n = 1000;
  m.estimate = {value, value * (1 - half_width), value * (1 + half_width), true, {}};
}

void expect_severity(const Record& r, Severity severity, const char* why) {
  for (const HostDetector detect : kOfTheHost) {
    const auto finding = detect(r);
    ASSERT_TRUE(finding) << why;
    EXPECT_EQ(finding->severity, severity) << finding->id << ": " << why;
  }
}

TEST(HostDetectors, AreWarningsWhereALessNoisyMetricShowsTheEffect) {
  Record r = with_a_busy_host();
  know_to(r, "latency", 0.3);
  expect_severity(r, Severity::note, "the latency alone does not show it");
  know_to(r, "throughput", 0.001);
  expect_severity(r, Severity::warning, "the throughput does");
  know_to(r, "throughput", 0.3);
  expect_severity(r, Severity::note, "neither does");
}

TEST(HostDetectors, DoNotGoByMetricsThatTheDeviceDecides) {
  Record r = with_a_busy_host();
  r.device.asynchronous = true;
  for (const char* noisy : {"latency", "submit"}) know_to(r, noisy, 0.3, 100e6);  // nearly all of it is the host's
  for (const char* steady : {"device_time", "span", "throughput"}) know_to(r, steady, 0.001);
  expect_severity(r, Severity::note, "the device decides the throughput");
  know_to(r, "span", 0.001, 2e6);
  expect_severity(r, Severity::warning, "the host does");
}

TEST(HostDetectors, IgnoreAMetricOfWhichNobodyKnowsHowNoisyItIs) {
  Record r = with_a_busy_host();
  know_to(r, "latency", 0.3);
  r.metrics["throughput"].estimate = {1e6, {}, {}, false, "few"};
  expect_severity(r, Severity::note, "an unbounded interval is no narrow one");
}

}  // namespace
}  // namespace strobe

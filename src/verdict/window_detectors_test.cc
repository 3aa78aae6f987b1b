// SPDX-License-Identifier: Apache-2.0
// Each on a window made by hand: one that fires, and a near one that must not; a trifle is a note.
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

}  // namespace
}  // namespace strobe

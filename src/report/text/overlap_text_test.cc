// SPDX-License-Identifier: Apache-2.0
#include "report/text/overlap_text.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

Metric exact(double value, const char* unit) {
  Metric m;
  m.unit = unit;
  m.n = 64;
  m.estimate = {value, value, value, true, {}};
  return m;
}

Case overlapping(const char* name, std::int64_t in_flight, double period) {
  Case c;
  c.name = name;
  c.settings["in_flight"] = in_flight;
  c.metrics = {{"period", exact(period, "ns")}, {"throughput", exact(1e9 / period, "items/s")}};
  return c;
}

Record overlapped() {
  Record r;
  r.verb = "pipeline";
  r.cases = {overlapping("one at a time", 1, 1e6), overlapping("2 in flight", 2, 8e5)};
  r.cases[1].metrics["latency_loaded"] = exact(1.5e6, "ns");
  r.comparisons = {{"one at a time", "2 in flight", "period", {0.8, 0.79, 0.81, true, {}}, "faster", 8, {}}};
  OverlapAnswer& o = r.pipeline.overlap.emplace();
  o = {.in_flight = 2,
       .bound = "lane",
       .bottleneck = "main",
       .lanes = {{"main", 0.98, 0.99, "large"}, {"host", 0.4, 0.6, "prepare"}},
       .timeline = {{"host", "prepare", 0, 4e5, 6}, {"main", "large", 0, 1.6e6, 7}},
       .timeline_ns = 1.6e6};
  return r;
}

TEST(OverlapText, SaysWhatOverlappingWinsAndWhatBoundsIt) {
  const std::string t = overlap_text(overlapped());
  for (const char* phrase :
       {"2 iterations in flight", "one at a time  1.00 ms", "[1.00, 1.00]", "1.00 k/s", "2 in flight     800 µs",
        "[800, 800]", "1.25 k/s", "1.50 ms  [1.50, 1.50]\n",
        "2 in flight: against one at a time +25 %  [+23 %, +27 %]\n",
        "main is the bottleneck, with large most of its work: make that faster; more in flight may win 2.0 % at most",
        "main works 98 % of the time\n", "host works 40 % of the time, and is occupied 60 %", "pppppppppppppppp......",
        "LLLLLLLLLLLLLLLL", "p prepare, l large; capitals: every second iteration; . idle"})
    EXPECT_NE(t.find(phrase), std::string::npos) << phrase << " is not in\n" << t;
}

TEST(OverlapText, SaysWhatItWinsInASentence) {
  EXPECT_EQ(overlap_rates(overlapped()),
            "one at a time: 1.00 ms an iteration, 1.00 k/s; 2 in flight: 800 µs an iteration, 1.25 k/s");
  EXPECT_EQ(overlap_sentences(overlapped()).front(), "2 in flight: against one at a time +25 %  [+23 %, +27 %]");
}

TEST(OverlapText, SaysOfSeveralLaunchesWhetherTheRateRepeats) {
  Record r = overlapped();
  r.metrics["throughput"] = exact(1250, "items/s");
  r.metrics["throughput"].verdict = Standing{.word = Repeat::repeats, .half_width = 0.003};
  EXPECT_EQ(overlap_text(r).find("repeats"), std::string::npos);  // of one launch nobody knows
  r.launches.resize(8);
  EXPECT_NE(overlap_text(r).find("[+23 %, +27 %]; its rate repeats ±0.3 %\n"), std::string::npos) << overlap_text(r);
}

TEST(OverlapText, SaysWhenThereAreTooFewInFlight) {
  Record r = overlapped();
  r.pipeline.overlap->bound = "in-flight";
  r.pipeline.overlap->bottleneck.clear();
  EXPECT_NE(overlap_text(r).find("with 2 in flight host and device still wait for each other; more may help"),
            std::string::npos);
  r.pipeline.overlap->bound.clear();
  EXPECT_NE(overlap_text(r).find("differs from launch to launch"), std::string::npos);
}

TEST(OverlapText, SaysWhyThereIsNone) {
  Record r;
  r.metrics["period"].unknown = "no round with 2 iterations in flight was completed";
  EXPECT_EQ(overlap_text(r), "\niterations in flight: no round with 2 iterations in flight was completed\n");
}

TEST(OverlapText, IsEmptyWhereNothingOverlaps) {
  Record r = overlapped();
  r.pipeline.overlap.reset();
  EXPECT_EQ(overlap_text(r), "");
  EXPECT_TRUE(overlap_sentences(r).empty());
}

}  // namespace
}  // namespace strobe

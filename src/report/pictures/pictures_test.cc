// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include "report/pictures/buckets.h"
#include "report/pictures/case_grid.h"
#include "testing/sample_records.h"

namespace strobe::page {
namespace {

using namespace strobe::testing;

bool shows(const Plot& p, std::string_view text) {
  return p.svg.body().find(text) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(EnergyPicture, HasADotForEachWindowAndALineForEachResult) {
  const auto p = window_energies(sample_energy_run());
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "launch 2, window 3: 678 mJ"));
  EXPECT_TRUE(shows(*p, "gross: 681 mJ"));
  EXPECT_TRUE(shows(*p, "above idle: 600 mJ"));
  EXPECT_EQ(p->table.rows.size(), 4u);
  EXPECT_FALSE(window_energies(sample_run()));
}

TEST(Buckets, KeepEverySpikeWhenTheyAreMerged) {
  const std::vector<CurveBucket> curve{{0, 1, 2, 3, 1}, {1, 2, 3, 99, 1}, {2, 0.5, 4, 5, 8}};
  const auto whole = merged(curve, 1);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].low, 0.5);
  EXPECT_EQ(whole[0].high, 99);
  EXPECT_EQ(whole[0].median, 4);  // eight of the ten samples
  EXPECT_EQ(whole[0].n, 10U);
  EXPECT_EQ(merged(curve, 3).size(), 3U);
}

TEST(Buckets, AreTornApartWhereNothingWasSeen) {
  std::vector<CurveBucket> curve;
  for (const double t : {0.0, 0.1, 0.2, 5.0, 5.1, 9.0}) curve.push_back({t, 1, 1, 1, 1});
  const auto parts = stretches(curve);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].size(), 3U);
  EXPECT_EQ(parts[2].front().at_seconds, 9.0);
  EXPECT_EQ(stretches(std::span(curve).first(1)).size(), 1U);
}

TEST(Buckets, OfAHistogramLoseNoSample) {
  const Histogram h = merged(Histogram{{0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5}}, 2);
  EXPECT_EQ(h.edges, (std::vector<double>{0, 3, 5}));
  EXPECT_EQ(h.counts, (std::vector<std::uint64_t>{6, 9}));
}

TEST(TimeSeries, MarksWarmUpShiftsDriftAndTelemetry) {
  const Record r = sample_run();
  const auto p = time_series("latency", r.metrics.at("latency"), r.telemetry);
  ASSERT_TRUE(p);
  for (const char* part :
       {"class=\"warm\"", "class=\"shift\"", "×1.05", "class=\"drift\"", "drift +4.0 %", ">power<", "90 W to 310 W"})
    EXPECT_TRUE(shows(*p, part)) << part;
  EXPECT_NE(p->caption.find("3 outliers"), std::string::npos) << p->caption;
  EXPECT_LE(count(p->svg.body(), "class=\"mark\""), 161U);  // 400 buckets were merged; one strip of telemetry
}

// The ends of the first line of this class: x and y, x and y.
std::vector<double> ends_of(const Plot& p, const std::string& style) {
  const std::string& body = p.svg.body();
  const std::string begin = "<path class=\"" + style + "\" d=\"M";
  const std::size_t at = body.find(begin);
  std::vector<double> ends(4);
  if (at == std::string::npos ||
      std::sscanf(body.c_str() + at + begin.size(), "%lf %lfL%lf %lf", &ends[0], &ends[1], &ends[2], &ends[3]) != 4)
    return {};
  return ends;
}

TEST(TimeSeries, DrawsADriftTheWayItGoes) {
  Metric m = sample_series(1e6);
  for (const double drift : {0.04, -0.04}) {
    m.facts.drift = drift;
    const auto p = time_series("latency", m, {});
    ASSERT_TRUE(p);
    const std::vector<double> line = ends_of(*p, "drift");
    ASSERT_EQ(line.size(), 4U);
    EXPECT_LT(line[0], line[2]);
    EXPECT_EQ(line[3] < line[1], drift > 0) << "up is less in a picture";
  }
}

TEST(TimeSeries, DoesNotLetOneSlowRequestPressTheOthersFlat) {
  Metric m = sample_series(1e6);
  m.curve[200].high = 400e6;
  const auto p = time_series("latency", m, {});
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "class=\"over\""));
  EXPECT_TRUE(shows(*p, "400 ms")) << "it can still be read";
  EXPECT_TRUE(shows(*p, ">1.00<")) << "the scale is that of the others";
}

TEST(TimeSeries, OfAMetricWithoutACurveDoesNotExist) {
  EXPECT_FALSE(time_series("throughput", sample_metric(541, "items/s"), {}));
  EXPECT_FALSE(histogram("throughput", sample_metric(541, "items/s")));
  EXPECT_FALSE(distribution("throughput", sample_metric(541, "items/s")));
}

TEST(TimeSeries, OfAbsurdNumbersIsStillAPicture) {
  Metric m = sample_series(1e308);
  m.curve[5].high = -1e308;
  const auto p = time_series("latency", m, {});
  ASSERT_TRUE(p);
  EXPECT_FALSE(shows(*p, "=\"nan") || shows(*p, "=\"-nan") || shows(*p, "=\"inf"));
}

TEST(HistogramPicture, MarksEachModeWithItsShare) {
  const auto p = histogram("latency", sample_series(1e6));
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "1.00 ms, 80 %"));
  EXPECT_TRUE(shows(*p, "1.05 ms, 20 %"));
}

TEST(Distribution, ShowsIntervalsAndSaysWhatARefusedPercentileNeeds) {
  const auto p = distribution("latency", sample_series(1e6));
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "p90: 1.05 ms  [1.04, 1.06]"));
  EXPECT_NE(p->caption.find("p99.9 needs 3,688 requests"), std::string::npos) << p->caption;
}

TEST(MethodRatios, PutTheWorstFirstUnderTheMetricTheyAreTakenFor) {
  Record r = sample_methods();
  r.cases.insert(r.cases.begin(), method_case("sync", "latency", {{"reading", sample_metric(1.88e6)}}));
  r.cases[0].difference = 0.005;
  r.cases[2].difference = 0;
  const auto plots = method_ratios(r);
  ASSERT_EQ(plots.size(), 3U);
  EXPECT_EQ(plots[0].title, "Ways to time latency: 1.87 ms");
  EXPECT_EQ(plots[1].title, "Ways to time device time: 520 µs");
  EXPECT_TRUE(shows(plots[0], "200 µs, -89 %"));
  EXPECT_LT(plots[0].svg.body().find(">naive<"), plots[0].svg.body().find(">sync<"));
  EXPECT_TRUE(shows(plots[2], "cannot be used: the mark has not been reached"));
}

TEST(MethodRatios, DrawTheMeanWhereTheFirstRequestsCount) {
  Record r = sample_methods();
  r.cases[0].settings["warmup"] = false;
  r.cases[0].metrics["reading"].mean = around(18.7e6);
  r.cases[0].difference = 9;
  EXPECT_TRUE(shows(method_ratios(r)[0], "18.7 ms (mean), +900 %"));
}

TEST(Forest, HasTheLineTheBandAndTheWords) {
  const auto p = forest(sample_compare());
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "class=\"zone\""));
  EXPECT_TRUE(shows(*p, "class=\"truth\""));
  EXPECT_TRUE(shows(*p, "faster: 0.750 [0.740, 0.760]"));
  EXPECT_TRUE(shows(*p, "cannot tell: 1.000 [0.900, ∞]"));
  EXPECT_TRUE(shows(*p, "← faster") && shows(*p, "slower →"));
  EXPECT_FALSE(forest(sample_run()));
}

TEST(Forest, HasWhatThePairsWouldDetectWhereTheRecordDoes) {
  Record r = sample_compare();
  const auto heads = [&] { return forest(r)->table.head; };
  EXPECT_EQ(heads().back(), "pairs");
  r.comparisons.front().detectable = 0.0042;
  EXPECT_EQ(heads().back(), "detectable");
}

// Where the dots are, in the order of the rows.
std::vector<double> dots_of(const Plot& p) {
  std::vector<double> xs;
  const std::string& body = p.svg.body();
  for (std::size_t at = 0; (at = body.find("cx=\"", at)) != std::string::npos; at += 4)
    xs.push_back(std::stod(body.substr(at + 4)));
  return xs;
}

TEST(Forest, HasWorseOnTheRightForEveryMetricAndHalfAsFarFromOneAsTwice) {
  Record r = sample_compare();
  r.comparisons = {{"a", "b", "latency", {2, {}, {}, true, {}}, "slower", 40, {}},
                   {"a", "b", "throughput", {0.5, {}, {}, true, {}}, "slower", 40, {}},
                   {"a", "c", "latency", {0.5, {}, {}, true, {}}, "faster", 40, {}},
                   {"a", "d", "latency", {1, {}, {}, true, {}}, "cannot-tell", 40, {}}};
  const auto p = forest(r);
  ASSERT_TRUE(p);
  const std::vector<double> xs = dots_of(*p);
  ASSERT_EQ(xs.size(), 4U);
  EXPECT_NEAR(xs[0], xs[1], 0.2);                  // half the rate is twice the time
  EXPECT_NEAR(xs[0] - xs[3], xs[3] - xs[2], 0.2);  // a logarithmic axis
  EXPECT_GT(xs[0], xs[3]);
  EXPECT_EQ(count(p->svg.body(), "class=\"ring"), 1U);  // what could not be told
}

TEST(CaseGrid, PutsBatchesInOrderAndOtherSettingsInSeries) {
  Record r = sample_throughput();
  CaseGrid g = grid_of(r);
  EXPECT_EQ(g.key, "batch");
  EXPECT_EQ(g.columns, (std::vector<std::string>{"1", "4", "16", "64"}));
  EXPECT_EQ(g.series.size(), 1U);
  EXPECT_EQ(g.points.front().source->name, "batch 1");
  r.cases[0].trial.first_ns = 1e6;
  r.cases[1].trial.first_ns = 2e6;  // found, not asked for
  EXPECT_EQ(grid_of(r).series.size(), 1U);
  r.cases[0].settings["in_flight"] = std::int64_t{8};
  EXPECT_EQ(grid_of(r).series, (std::vector<std::string>{"in_flight=8", "in_flight=4"}));
}

TEST(CaseCurves, MarkWhatASearchChoseAndWhatFailed) {
  const auto plots = case_curves(sample_throughput());
  ASSERT_EQ(plots.size(), 3U);
  EXPECT_EQ(plots[0].title, "throughput by batch");
  EXPECT_TRUE(shows(plots[0], "best 16"));
  EXPECT_TRUE(shows(plots[0], "batch 64: no memory"));
  EXPECT_TRUE(shows(plots[2], "memory, GiB"));
}

// Batch 16 again, at a fifth of its rate.
Record with_repeat() {
  Record r = sample_throughput();
  r.cases.push_back(r.cases.front());
  r.cases.back().metrics["throughput"] = sample_metric(160, "items/s");
  r.metrics["throughput"] = r.cases.front().metrics.at("throughput");
  return r;
}

std::size_t corners_of_the_line(const Plot& p) {
  const std::string& body = p.svg.body();
  const std::size_t at = body.find("<path class=\"line s0\" d=\"");
  const std::string path = body.substr(at, body.find("/>", at) - at);
  return count(path, "L") + 1;
}

TEST(CaseCurves, ShowRepeatsHollowAndJoinEachPointOnce) {
  const auto once = case_curves(sample_throughput()), again = case_curves(with_repeat());
  EXPECT_EQ(count(again[0].svg.body(), "class=\"ring s0\""), 1U);
  EXPECT_EQ(count(again[0].svg.body(), "class=\"dot s0\""), 3U);
  EXPECT_FALSE(shows(once[0], "class=\"ring"));
  EXPECT_EQ(corners_of_the_line(again[0]), corners_of_the_line(once[0]));
  EXPECT_NE(again[0].caption.find("Hollow"), std::string::npos);
  EXPECT_EQ(once[0].caption.find("Hollow"), std::string::npos);
}

TEST(CaseGrid, LetsTheReportedTrialStandForItsPointElseTheMiddleOne) {
  Record r = with_repeat();
  const auto standing = [&](const Record& record) {
    for (const GridPoint& p : grid_of(record).points) {
      if (p.source->name == "batch 16" && !p.again) return p.source->metrics.at("throughput").estimate.value;
    }
    return 0.0;
  };
  EXPECT_EQ(standing(r), 800);
  r.cases.push_back(r.cases.back());
  r.metrics.clear();
  EXPECT_EQ(standing(r), 160);
}

TEST(RateLatency, HasADotForEachPointAndTheBound) {
  Record r = sample_throughput();
  auto p = rate_latency(r);
  ASSERT_TRUE(p);
  EXPECT_EQ(count(p->svg.body(), "class=\"dot s0\""), 3U);
  EXPECT_TRUE(shows(*p, "batch 16: 800 /s at 80.0 ms"));
  EXPECT_FALSE(shows(*p, "class=\"mode\""));
  EXPECT_EQ(count(rate_latency(with_repeat())->svg.body(), "class=\"ring s0\""), 1U);
  r.settings["max_latency_ns"] = 30e6;
  r.settings["percentile"] = 0.99;
  p = rate_latency(r);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->title, "throughput against latency under load") << "no case knows its p99";
  EXPECT_FALSE(shows(*p, "class=\"mode\""));
  for (Case& c : r.cases) c.metrics["latency_loaded"].percentiles = {{0.99, around(50e6), {}}};
  p = rate_latency(r);
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "allowed: 30.0 ms"));
  ASSERT_EQ(ends_of(*p, "mode").size(), 4U);
  EXPECT_LT(ends_of(*p, "mode")[0], dots_of(*p).front()) << "30 ms is left of 50 ms";
  EXPECT_EQ(p->title, "throughput against p99 under load");
  EXPECT_FALSE(rate_latency(sample_run()));
}

TEST(IdleLatency, HasADotForEachPauseAndALineForTheBusyLatency) {
  const auto p = idle_latency(sample_idle_run());
  ASSERT_TRUE(p);
  EXPECT_EQ(count(p->svg.body(), "class=\"dot s0\""), 2U);
  EXPECT_EQ(count(p->svg.body(), "class=\"dot s1\""), 1U);  // random pauses
  EXPECT_TRUE(shows(*p, "after 10 ms idle: 2.58 ms  [2.55, 2.61], +38 %, 100 requests, P8 → P0, 345 → 1980 MHz"));
  EXPECT_TRUE(shows(*p, "no pause: 1.87 ms"));
  EXPECT_NE(p->caption.find("Squares: random pauses"), std::string::npos);
  EXPECT_EQ(p->table.rows.size(), 3U) << "nothing is known of 10 s";
  EXPECT_FALSE(idle_latency(sample_run()));
}

TEST(IdleLatency, PutsPausesWhereTheirLogarithmsAre) {
  Record r = sample_run();
  r.idle = {sample_idle(1e9, 2e6, 0.07), sample_idle(1e5, 2e6, 0.07), sample_idle(1e7, 2e6, 0.07)};
  const std::vector<double> xs = dots_of(*idle_latency(r));
  ASSERT_EQ(xs.size(), 3U);
  EXPECT_NEAR(xs[1] - xs[0], xs[2] - xs[1], 0.3);
  EXPECT_LT(xs[0], xs[1]);
}

TEST(IdleLatency, OfOnePauseIsAPictureToo) {
  Record r = sample_run();
  r.idle = {sample_idle(1e7, 100e6, 50)};  // and so long that the busy latency would be on the axis
  const auto p = idle_latency(r);
  ASSERT_TRUE(p);
  EXPECT_FALSE(shows(*p, "=\"nan") || shows(*p, "=\"-nan") || shows(*p, "=\"inf"));
}

TEST(Launches, AreADotEachBesideTheFigureOfAll) {
  const auto p = launches(sample_launches());
  ASSERT_TRUE(p);
  EXPECT_EQ(count(p->svg.body(), "<circle"), 3U);
  EXPECT_TRUE(shows(*p, "launch 4: killed"));
}

TEST(Launches, ThatAreLoadsSaySo) {
  Record r = sample_launches();
  r.one_process = true;
  const auto p = launches(r);
  ASSERT_TRUE(p);
  EXPECT_EQ(p->title, "Each load: latency");
  EXPECT_TRUE(p->caption.ends_with("; what differs between processes is not in the interval.")) << p->caption;
}

// Widths of the bars, in their order.
std::vector<double> bars_of(const Plot& p) {
  std::vector<double> widths;
  const std::string& body = p.svg.body();
  constexpr std::string_view kWidthOf = "width=\"";
  for (std::size_t at = 0; (at = body.find("<rect class=\"bar", at)) != std::string::npos; ++at)
    widths.push_back(std::stod(body.substr(body.find(kWidthOf, at) + kWidthOf.size())));
  return widths;
}

// Where the device decides the speed: device time and throughput.
Record device_bound_launches() {
  Record r = sample_launches();
  r.metrics["span"] = r.metrics["device_time"];
  return r;
}

TEST(Uncertainty, HasABarForEachSourceAsLongAsWhatItAdds) {
  const auto p = uncertainty(device_bound_launches());
  ASSERT_TRUE(p);
  const std::vector<double> bars = bars_of(*p);
  ASSERT_EQ(bars.size(), 5U) << "a rate has no requests";
  EXPECT_NEAR(bars[0] / bars[2], 0.000864 / 0.00374, 0.003);
  EXPECT_NEAR(bars[1] / bars[2], 0.00111 / 0.00374, 0.003);
  EXPECT_TRUE(shows(*p, "device time, launches: 0.4 %, 88 % of the variance"));
  EXPECT_TRUE(shows(*p, ">device time: mostly launches<"));
  EXPECT_EQ(p->table.rows.size(), 5U);
  EXPECT_EQ(p->description, "device time: mostly launches; throughput: mostly rounds.");
}

TEST(Uncertainty, IsThatOfTheMetricsThatDecide) {
  EXPECT_EQ(bars_of(*uncertainty(sample_launches())).size(), 3U) << "the device waits for the host: device time alone";
  Record cpu = sample_launches();
  cpu.device.asynchronous = false;
  EXPECT_TRUE(shows(*uncertainty(cpu), "latency, launches: 2.7 %"));
}

TEST(Uncertainty, NamesNoMainSourceWhereAllAddAsMuch) {
  Record r = sample_launches();
  r.metrics["device_time"].launch_spread = 0.00864 * std::sqrt(3);
  for (Case& c : r.launches) {
    if (!c.error.empty()) continue;
    c.metrics["device_time"].facts.request_spread = 0.11;
    c.metrics["device_time"].facts.round_spread = 0.00864 * std::sqrt(2) / 1.25331 * 4;
  }
  const auto p = uncertainty(r);
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, ">device time<"));
}

TEST(Uncertainty, IsNotShownWhereNothingIsKnownOfItsSources) {
  EXPECT_FALSE(uncertainty(sample_run())) << "one launch";
  Record bare = sample_launches();
  for (Case& c : bare.launches) c.metrics.clear();
  EXPECT_FALSE(uncertainty(bare));
  Record equal = sample_launches();
  equal.metrics["device_time"].launch_spread = 0;
  for (Case& c : equal.launches) {
    for (auto& [name, m] : c.metrics) m.facts.request_spread = m.facts.round_spread = 0;
  }
  EXPECT_FALSE(uncertainty(equal)) << "nothing varies";
}

TEST(Uncertainty, OfAbsurdNumbersIsStillAPicture) {
  Record r = device_bound_launches();
  r.launches[0].metrics["device_time"].facts.request_spread = 1e300;
  const auto p = uncertainty(r);
  ASSERT_TRUE(p) << "of the throughput";
  EXPECT_EQ(bars_of(*p).size(), 2U);
}

TEST(Stages, HaveOneColourInEveryPicture) {
  Record r = sample_pipeline();
  std::reverse(r.timeline.begin(), r.timeline.end());
  r.timeline[0].begin_ns = 0;
  r.timeline[0].name = "detect";  // whichever comes first on the time line
  const auto colour = [](const Plot& p, std::string_view stage) {
    const std::string& body = p.svg.body();
    const std::size_t named = body.find(stage), style = body.find(" s", body.find("<rect class=\"bar", named));
    return body.substr(style + 1, 2);
  };
  const auto all = stages(r), split = stage_split(r), line = timeline(r);
  ASSERT_TRUE(all && split && line);
  EXPECT_EQ(colour(*all, "decode"), "s0");
  EXPECT_EQ(colour(*all, "detect"), "s1");
  EXPECT_EQ(colour(*split, "detect"), "s1");
  EXPECT_LT(line->svg.body().find("span s0"), line->svg.body().find(">decode<"));
  EXPECT_LT(line->svg.body().find(">decode<"), line->svg.body().find(">detect<"));  // the legend, in that order
}

TEST(Timeline, OfARunIsOneRequest) {
  const auto p = timeline(sample_request());
  ASSERT_TRUE(p);
  EXPECT_EQ(p->title, "A typical request");
  EXPECT_TRUE(shows(*p, "host: submit, 1.50 ms from 0.00 ns on"));
  EXPECT_TRUE(shows(*p, "device: work, 2.00 ms from 0.00 ns on"));
  EXPECT_NE(p->caption.find("Of these 2.00 ms the device works for 520 µs"), std::string::npos) << p->caption;
  EXPECT_FALSE(timeline(sample_run()));
}

TEST(Timeline, BeginsAtZeroAndHasALaneForEachResource) {
  const auto p = timeline(sample_pipeline());
  ASSERT_TRUE(p);
  EXPECT_TRUE(shows(*p, "cuda:0: detect, 4.00 ms from 2.00 ms on"));
  EXPECT_EQ(p->table.rows.size(), 3U);
  EXPECT_TRUE(stages(sample_pipeline()));
  const auto split = stage_split(sample_pipeline());
  ASSERT_TRUE(split);
  EXPECT_TRUE(shows(*split, "detect (slowest)"));
  EXPECT_TRUE(shows(*split, "4.00 ms, 214 %"));  // of an iteration of 1.87 ms
  EXPECT_FALSE(stages(sample_run()));
}

// The page's script needs the times themselves: those of the picture are whole pixels.
TEST(Timeline, TellsWhereEachSpanIsSoThatItCanBeDrawnAtAnotherScale) {
  Record r = sample_pipeline();
  r.timeline[1].name = "a \"quoted\" name";
  const auto p = timeline(r);
  ASSERT_TRUE(p && p->zoom);
  EXPECT_EQ(p->zoom->length_ns, 6e6);
  EXPECT_LT(p->zoom->left, p->zoom->right);
  EXPECT_LT(p->zoom->top, p->zoom->bottom);
  EXPECT_NE(p->svg.body().find("data-at=\"2000000 6000000\""), std::string::npos) << p->svg.body();
  EXPECT_EQ(p->svg.body().find("data-name=\"a \"quoted"), std::string::npos);
  EXPECT_NE(render(*p, 1, 2).find("class=\"plot\" data-zoom=\""), std::string::npos);
  EXPECT_EQ(render(*stages(r), 1, 2).find("data-zoom"), std::string::npos);
}

TEST(Timeline, DrawsThousandsOfSpansAndSaysWhereSomeAreLeftOut) {
  Record r = sample_pipeline();
  r.timeline.clear();
  for (int i = 0; i < 4100; ++i) r.timeline.push_back({"host", "step", 10.0 * i, 10.0 * i + 5});
  EXPECT_NE(timeline(r)->caption.find("The first 4000 of 4100 are drawn."), std::string::npos);
  r.timeline.resize(3900);
  EXPECT_EQ(timeline(r)->caption.find("are drawn"), std::string::npos);
}

}  // namespace
}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

std::string page_of(const Record& r) {
  return html_of({&r, 1});
}

std::string between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from) + from.size();
  return text.substr(begin, text.find(to, begin) - begin);
}

TEST(Html, BeginsWithTheMedianItsIntervalAndTheVerdict) {
  const std::string page = page_of(sample_run());
  const std::string head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, "<h1>resnet18.onnx</h1>"));
  EXPECT_TRUE(has(head, R"(<data value="1870000" data-metric="latency" data-field="median">1.87 ms</data>)")) << head;
  EXPECT_TRUE(has(head, "95 % interval"));
  EXPECT_TRUE(has(head, R"(data-verdict="caution")"));
  EXPECT_TRUE(has(head, "±1.0\u00a0%: it drifts by 4\u00a0%")) << head;
}

TEST(Html, SaysTheVerdictInTheWordsOfTheText) {
  Record r = sample_run();
  r.findings[0] = {"preempted", About::machine, Severity::warning, "m", "a", {{"share", 0.6}, {"effect", 0.14}}};
  EXPECT_TRUE(has(page_of(r), ">±14\u00a0%: something else took the CPU 60\u00a0% of the time<"));
}

TEST(Html, ShowsPicturesBeforeFindingsAndFindingsBeforeTables) {
  for (const Record& r :
       {sample_run(), sample_methods(), sample_compare(), sample_throughput(), sample_pipeline(), sample_launches()}) {
    const std::string page = page_of(r);
    const std::size_t picture = page.find("<figure"), findings = page.find(">Findings<"),
                      table = page.find(r.metrics.empty() ? ">Cases<" : ">Medians and percentiles");
    EXPECT_LT(page.find("class=\"hero\""), picture) << r.verb;
    EXPECT_LT(picture, findings) << r.verb;
    EXPECT_LT(findings, table) << r.verb;
    EXPECT_NE(table, std::string::npos) << r.verb;
  }
}

TEST(Html, SaysADoubtThatManyPointsShareOnce) {
  Record r = sample_throughput();
  r.findings.clear();
  for (int i = 0; i < 4; ++i)
    r.findings.push_back({"preempted",
                          About::machine,
                          Severity::warning,
                          "point " + std::to_string(i),
                          "Stop it.",
                          {{"share", 0.1 * i}, {"effect", 0.1 * i}}});
  const std::string part = between(page_of(r), ">Findings<", "</section>");
  EXPECT_TRUE(has(part, ">The machine was disturbed: up to 30 %<")) << part;
  EXPECT_TRUE(has(part.substr(0, part.find("<details")), "point 3")) << part;  // the worst of them
  EXPECT_FALSE(has(part.substr(0, part.find("<details")), "point 0")) << part;
  EXPECT_TRUE(has(part, "3 more like these")) << part;
}

TEST(Html, OfMethodsLeadsWithWhatIsWrong) {
  Record r = sample_methods();
  r.cases[1].difference = 0.001;
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, "timing methods that are off by more than 5 %")) << head;
  EXPECT_TRUE(has(head, ">1 of 2<")) << head;
  EXPECT_TRUE(has(head, "worst: naive reads 200 µs where latency is 1.87 ms (-89\u00a0%)")) << head;
  EXPECT_TRUE(has(head, "1 more cannot be judged here")) << head;
}

TEST(Html, OfASweepLeadsWithItsBestPoint) {
  Record r = sample_run();
  r.metrics.clear();
  const auto point = [](const char* name, double rate, double latency) {
    return sample_case(name, {{"batch", std::string(name)}},
                       {{"throughput", sample_metric(rate, "items/s")}, {"latency", sample_metric(latency)}});
  };
  r.cases = {point("batch=1", 400, 2e6), point("batch=4", 900, 4e6), point("batch=8", 895, 9e6)};
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  for (const char* words :
       {"best throughput of 3 points", ">900 /s<", ">batch=4<", "lowest latency: 2.00 ms with batch=1",
        "1 other point may be as good: its interval overlaps"})
    EXPECT_TRUE(has(head, words)) << words << " is not in\n" << head;
}

TEST(Html, OfARunHasTheLanesOfARequestBesideItsSeries) {
  Record r = sample_request();
  const auto parts = [&](const char* title) {
    return has(page_of(r), ">Host and device<") && has(page_of(r), title) && has(page_of(r), "±2.50 µs");
  };
  EXPECT_TRUE(parts(">Latency<"));
  r.launches = sample_launches().launches;
  EXPECT_TRUE(parts(">Launches<"));
  EXPECT_FALSE(has(page_of(sample_run()), ">Host and device<"));
}

TEST(Html, ShowsLatencyAgainstPausesOfARunAndOfMethods) {
  Record methods = sample_methods();
  methods.idle = sample_idle_run().idle;
  for (const Record& r : {sample_idle_run(), methods})
    EXPECT_TRUE(has(page_of(r), ">latency after a pause<")) << r.verb;
  EXPECT_FALSE(has(page_of(sample_run()), "latency after a pause"));
}

TEST(Html, SaysWhyAFigureIsMissing) {
  const std::string page = page_of(sample_run());
  EXPECT_TRUE(has(page, "replay time is unknown: the runtime cannot capture."));
  EXPECT_TRUE(has(page, "needs 3,688 requests"));
}

TEST(Html, TellsWarningsFromAdvice) {
  const std::string page = page_of(sample_run());
  EXPECT_TRUE(has(page, "▲ warning: drift"));
  EXPECT_TRUE(has(page, ">The time was not steady<"));
  EXPECT_TRUE(has(page, "→ advice: host-bound"));
}

TEST(Html, HoldsTheRecordItself) {
  Record r = sample_run();
  r.model.path = "</script><!--";
  const std::string text = between(page_of(r), R"(id="record-1">)", "</script>");
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(json(parse_record(text)), json(r));
}

// What comes from outside stands in every part of a page: names, messages, settings, stages, lanes.
TEST(Html, IsNotFooledByMarkupFromOutside) {
  const std::string evil = R"(<script>alert(1)</script>"onload=)";
  Record r = sample_pipeline();
  r.comparisons = sample_compare().comparisons;
  r.launches = sample_launches().launches;
  r.metrics[evil] = sample_series(1e6);
  r.metrics["replay_time"].unknown = evil;
  r.telemetry.columns[evil] = r.telemetry.columns["power_w"];
  for (std::string* s : {&r.model.name,
                         &r.model.path,
                         &r.model.runtime,
                         &r.device.kind,
                         &r.device.name,
                         &r.started_at,
                         &r.status_reason,
                         &r.strobe.version,
                         &r.findings[0].id,
                         &r.findings[0].message,
                         &r.findings[0].advice,
                         &r.cases[0].name,
                         &r.cases[0].about,
                         &r.cases[0].stages[0].name,
                         &r.timeline[0].lane,
                         &r.timeline[0].name,
                         &r.comparisons[0].a,
                         &r.comparisons[0].outcome,
                         &r.comparisons[0].metric,
                         &r.launches[0].name,
                         &r.launches[3].error,
                         &r.model.inputs[0].name,
                         &r.command[0]})
    *s = evil;
  r.settings[evil] = evil;
  r.host[evil] = evil;
  r.answer.largest_state = r.answer.fastest = evil;
  for (Record shape : {r, sample_methods(), sample_throughput()}) {
    if (shape.verb != "pipeline") {
      shape.cases[0].name = shape.cases[1].error = evil;
      shape.cases[0].settings[evil] = evil;
    }
    const std::string page = page_of(shape);
    EXPECT_FALSE(has(page, "<script>alert")) << shape.verb;
    const std::string marked = page.substr(0, page.find("<script type=\"application/json\""));
    EXPECT_FALSE(has(marked, "\"onload=")) << shape.verb;
  }
}

TEST(Html, AsksNobodyForAnything) {
  for (const Record& r : {sample_run(), sample_methods(), sample_pipeline()}) {
    const std::string page = page_of(r);
    EXPECT_FALSE(has(page, "http:"));
    EXPECT_FALSE(has(page, "https:"));
    EXPECT_FALSE(has(page, "src="));
    EXPECT_TRUE(has(page, "default-src 'none'"));
  }
}

TEST(Html, DrawsWhatEachKindOfRecordHas) {
  EXPECT_TRUE(has(page_of(sample_methods()), "Ways to time latency: 1.87 ms"));
  EXPECT_TRUE(has(page_of(sample_compare()), "How they compare"));
  EXPECT_TRUE(has(page_of(sample_throughput()), "throughput by batch"));
  EXPECT_TRUE(has(page_of(sample_pipeline()), "Time line"));
  EXPECT_TRUE(has(page_of(sample_pipeline()), "Where the time goes"));
  EXPECT_TRUE(has(page_of(sample_launches()), "Each launch: latency"));
}

TEST(Html, TakesTheBestBatchAsTheHeadlineOfASearch) {
  const std::string page = page_of(sample_throughput());
  EXPECT_TRUE(has(page.substr(0, page.find("<section>")), "<p class=\"figure\">16</p>"))
      << page.substr(page.find("hero"), 600);
  EXPECT_TRUE(has(page, "throughput 800 /s"));
}

TEST(Html, HeadsASearchWithWhatItsLaunchesReadAndNotWithItsLuckiestTrial) {
  Record r = sample_throughput();
  r.answer = {.streams = 1, .in_flight = 4};
  r.metrics["throughput"].estimate = {750, 700, 790, true, {}};
  r.launches = sample_launches().launches;
  r.window_ns = 3.02e9;
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, ">750 /s<")) << head.substr(head.find("hero"), 600);
  EXPECT_FALSE(has(head, "800"));
  EXPECT_TRUE(has(head, "closed loop, 4 in flight; 3.02 s observed in"));
}

TEST(Html, NamesBothSidesOfAComparisonAndTakesItsLatencyFirst) {
  Record r = sample_compare();
  std::swap(r.comparisons[0], r.comparisons[1]);
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, "<h1>b.onnx against a.onnx</h1>"));
  EXPECT_TRUE(has(head, "0.750×"));
  EXPECT_TRUE(has(head, "b.onnx takes 0.75× as long as a.onnx [0.74, 0.76]: faster")) << head;
  for (Comparison& c : r.comparisons) {
    c.a = "threads=1";
    c.b = "threads=2";
  }
  EXPECT_TRUE(has(page_of(r), "<h1>a.onnx: threads=2 against threads=1</h1>"));  // which model, then
}

TEST(Html, SaysWhatBecameOfTheConditionsOfAComparison) {
  Record r = sample_compare();
  r.fail_on = {{"slower=2%", "b.onnx", "latency", "failed", "it is"}};
  EXPECT_TRUE(has(page_of(r), "slower=2%: failed by b.onnx: it is"));
}

TEST(Html, LeadsWithACandidateAndNotWithTheNoiseFloor) {
  Record r = sample_compare();
  Comparison again = r.comparisons[0];
  again.b = "a.onnx again";
  again.noise_floor = true;
  again.metric = "latency";
  again.ratio.value = 1.001;
  r.comparisons.insert(r.comparisons.begin(), again);
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, "<h1>b.onnx against a.onnx</h1>"));
  EXPECT_TRUE(has(head, "0.750×"));
  r.comparisons = {again};  // all there is
  EXPECT_TRUE(has(page_of(r), "<h1>a.onnx again against a.onnx</h1>"));
}

TEST(Html, OfASearchWithinABoundLeadsWithItsAnswer) {
  Record r = sample_throughput();
  r.settings["percentile"] = 0.99;
  r.settings["max_latency_ns"] = std::int64_t{10'000'000};
  r.answer = {.bound = "cannot-tell"};
  std::string page = page_of(r);
  EXPECT_TRUE(has(page, "most with p99 within 10.0 ms"));
  EXPECT_TRUE(has(page, "cannot tell"));
  r.metrics["throughput"] = sample_metric(5550, "items/s");
  r.answer = {.bound = "met", .bound_point = "batch 26"};
  page = page_of(r);
  EXPECT_TRUE(has(page, "5.55 k/s"));
  EXPECT_TRUE(has(page, "by batch 26"));
}

TEST(Html, HasWhatWasSeenBesidesTimes) {
  Record r = sample_pipeline();
  r.observations.new_input_ratio = 1.5;
  r.pipeline.timeline_uncertainty_ns = 3500;
  const std::string page = page_of(r);
  EXPECT_TRUE(has(page, "take 1.5 times as long"));
  EXPECT_TRUE(has(page, "±3.50 µs"));
}

TEST(Html, OfAPipelineIsAboutItAndNotAboutTheWaysToTimeIt) {
  Record r = sample_pipeline();
  r.comparisons = sample_compare().comparisons;
  r.pipeline.marks_cost_at_most = 0.004;
  const std::string page = page_of(r), head = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(head, "<h1>" + r.model.name + "</h1>"));
  EXPECT_TRUE(has(head, "one iteration, undisturbed"));
  EXPECT_TRUE(has(head, "cost at most 0.4 %"));
}

TEST(Html, OfAPipelineSaysWhoIdlesAndWhatAFasterStageWouldGain) {
  Record r = sample_pipeline();
  r.cases[0].name = "event";
  r.metrics["union_time"] = sample_metric(6e6);
  r.pipeline.idle = {{"host", 0.32, "<detect> on main"}, {"main", 0.11}};
  r.pipeline.replay_error = -0.002;
  r.cases[0].stages[0].gain = 0.094;
  r.cases[0].stages[1].gain = 0.0;
  std::string part = between(page_of(r), "How the stages work together</h2>", "</section>");
  for (const char* words :
       {"<li>host or device is busy for 6.00 ms (union)",
        "<li>host idles 32 % of it, most of that during &lt;detect&gt; on main</li>", "<li>main idles 11 % of it</li>",
        "A stage 10 % faster would gain: decode 9.4 %, detect 0.0 % (replayed schedule, −0.2 % off)."})
    EXPECT_TRUE(has(part, words)) << words << " is not in\n" << part;
  r.pipeline = {.replay_error = 0.2};
  for (Stage& s : r.cases[0].stages) s.gain.reset();
  r.metrics["union_time"] = {};
  r.metrics["union_time"].unknown = "the clocks are too coarse";
  part = between(page_of(r), "How the stages work together</h2>", "</section>");
  EXPECT_TRUE(has(part, "<li>no common time line: the clocks are too coarse</li>")) << part;
  EXPECT_TRUE(has(part, "not given: the replayed schedule is +20 % off.")) << part;
}

TEST(Html, LeadsToEachOfSeveralRecords) {
  std::vector<Record> records{sample_run(), sample_methods()};
  records[0].command = {"strobe", "run", "<a>.onnx"};
  const std::string page = html_of(records);
  EXPECT_TRUE(has(page, "<h1>2 records</h1>"));
  const std::string list = between(page, "<ol>", "</ol>");
  EXPECT_TRUE(has(list, "timing methods that are off by more than 5 %: <b>")) << list;
  EXPECT_TRUE(has(list, "<code>strobe run &lt;a&gt;.onnx</code>")) << list;
  for (const char* part : {"href=\"#part-1\"", "href=\"#part-2\"", "id=\"part-1\"", "id=\"part-2\"", "id=\"record-2\""})
    EXPECT_TRUE(has(page, part)) << part;
}

TEST(Html, ShowsWhatEachListingPrints) {
  Record r = sample_methods();
  EXPECT_FALSE(has(page_of(r), "<h2>Listings</h2>"));
  Case c;
  c.name = "events-300";
  c.group = "listing";
  c.claims = "device_time";
  c.prints = "mean 0.101 ms";
  c.about = "counts every gap";
  c.statistic = "mean";
  c.difference = 4.05;
  c.metrics["reading"] = sample_metric(101e3);
  c.metrics["reading"].mean = Estimate{101e3, {}, {}, true, {}};
  r.cases = {c, c};
  r.cases[1].name = "events";
  r.cases[1].error = "it cannot be read";
  r.metrics["device_time"] = sample_metric(55e3);
  const std::string page = page_of(r), part = between(page, ">Listings</h2>", "</section>");
  for (const char* words : {"events-300", "mean 0.101 ms", "counts every gap", "cannot be used: it cannot be read"})
    EXPECT_TRUE(has(part, words)) << words << " is not in\n" << part;
  EXPECT_TRUE(has(page, "where device time is 20.0 µs")) << page;  // of the process that read it
}

TEST(Html, OfAnEmptyRecordIsStillAPage) {
  EXPECT_TRUE(has(page_of(Record{}), "nothing was measured"));
}

}  // namespace
}  // namespace strobe

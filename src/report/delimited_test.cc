// SPDX-License-Identifier: Apache-2.0
#include "report/delimited.h"

#include <gtest/gtest.h>

#include "testing/sample_records.h"

namespace strobe {
namespace {

Record record_to_quote() {
  Record r;
  r.model.name = "a,\"b\".onnx";
  r.device.name = "cpu";
  r.strobe.version = "0.1.0";
  Metric m;
  m.n = 20;
  m.n_eff = 20;
  m.estimate = {1.5e6, 1.4e6, std::nullopt, true, {}};
  m.min = 1e6;
  m.max = 2e6;
  m.percentiles = {{0.9, Estimate{1.8e6, 1.7e6, 1.9e6, true, {}}, std::nullopt}, {0.99, std::nullopt, 400u}};
  r.metrics["latency"] = m;
  r.metrics["device_time"].unknown = "no gate";
  r.cases = {{"x|y", {}, {{"reading", m}}, {}, "", "", {}}, {"=bad", {}, {}, {}, "cannot, at all", "", {}}};
  r.findings = {{"drift", About::measurement, Severity::warning, "it <drifts>", "Wait.", {}}};
  return r;
}

TEST(Csv, QuotesWhatWouldBreakARow) {
  const Record r = record_to_quote();
  const std::string csv = csv_of({&r, 1});
  EXPECT_EQ(csv,
            "model,case,metric,unit,n,n_eff,median,low,high,mean,min,max,p90,p99,verdict,error\n"
            "\"a,\"\"b\"\".onnx\",,latency,ns,20,20,1.5e+06,1.4e+06,,,1e+06,2e+06,1.8e+06,,trusted,\n"
            "\"a,\"\"b\"\".onnx\",,device_time,,,,,,,,,,,,trusted,no gate\n"
            "\"a,\"\"b\"\".onnx\",x|y,reading,ns,20,20,1.5e+06,1.4e+06,,,1e+06,2e+06,1.8e+06,,trusted,\n"
            "\"a,\"\"b\"\".onnx\",'=bad,,,,,,,,,,,,,trusted,\"cannot, at all\"\n");
  for (std::size_t from = 0, to; (to = csv.find('\n', from)) != std::string::npos; from = to + 1) {
    // Every row has the same number of cells: commas outside quotes.
    int commas = 0;
    bool quoted = false;
    for (const char c : csv.substr(from, to - from)) {
      quoted ^= c == '"';
      commas += c == ',' && !quoted;
    }
    EXPECT_EQ(commas, 15) << csv.substr(from, to - from);
  }
}

TEST(Csv, HasTheLengthOfAPauseInAColumn) {
  Record r = testing::sample_run();
  r.metrics = {{"latency", testing::sample_metric(1.5e6)}};
  EXPECT_EQ(csv_of({&r, 1}).find("idle_ns"), std::string::npos);
  r.idle = {testing::sample_idle(1e7, 2e6, 0.3, true)};
  EXPECT_EQ(csv_of({&r, 1}),
            "model,case,metric,unit,n,n_eff,median,low,high,mean,min,max,idle_ns,idle_random,verdict,error\n"
            "resnet18.onnx,,latency,ns,100,60,1.5e+06,1.485e+06,1.515e+06,,,,,,caution,\n"
            "resnet18.onnx,after 10 ms idle (Poisson),latency,ns,100,60,2e+06,1.98e+06,2.02e+06,,,,1e+07,1,caution,\n"
            "resnet18.onnx,after 10 ms idle (Poisson),submit,ns,100,60,100000,99000,101000,,,,1e+07,1,caution,\n");
}

TEST(Markdown, HasARowForEachPauseButOneOnlyForAMethod) {
  Record r = testing::sample_idle_run();
  const std::string run = render_markdown(r, {});
  EXPECT_NE(run.find("| latency after 10 ms idle | 2.58 ms | \\[2.55, 2.61\\] | 100 |"), std::string::npos) << run;
  EXPECT_NE(run.find("| latency after 10 s idle | | the time was up before |"), std::string::npos) << run;
  Record methods = testing::sample_methods();
  methods.idle = r.idle;
  EXPECT_EQ(render_markdown(methods, {}).find("after 10 ms"), std::string::npos) << "it is among the cases";
}

Record compared_record() {
  Record r = testing::sample_compare();
  r.fail_on = {
      {"slower=2%", "b.onnx", "latency", "passed", "latency is 0.750 times that of a.onnx; the limit is 1.020"}};
  return r;
}

TEST(Markdown, SaysOfLoadsInOneProcessWhatTheirIntervalsDoNotHold) {
  Record r = testing::sample_launches();
  r.metrics["latency"].verdict = Standing{Repeat::repeats_over_loads, 0.003, {}};
  EXPECT_EQ(render_markdown(r, {}).find("process"), std::string::npos);
  r.one_process = true;
  const std::string markdown = render_markdown(r, {});
  EXPECT_NE(markdown.find("4 loads in one process: what differs between processes is not in the interval\n\n"),
            std::string::npos)
      << markdown;
  EXPECT_NE(markdown.find(" the next load |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("| repeats over loads ±0.3 % |"), std::string::npos) << markdown;
  EXPECT_NE(csv_of({&r, 1}).find(",repeats-over-loads,0.003,,,"), std::string::npos) << csv_of({&r, 1});
}

TEST(Csv, HasTheRatioTheOutcomeAndTheConditionsOfAComparison) {
  const Record r = compared_record();
  const std::string csv = csv_of({&r, 1});
  EXPECT_NE(csv.find(",against,ratio,ratio_low,ratio_high,outcome,fail_on,verdict,error\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",a.onnx,0.75,0.74,0.76,faster,slower=2%: passed,"), std::string::npos) << csv;
}

TEST(Csv, HasTheRatioOfMediansWhereAPercentileWasComparedToo) {
  Record r = compared_record();
  const Comparison tail{"a.onnx", "b.onnx", "latency", {1.5, 1.4, 1.6, true, {}}, "slower", 40, {}, 0.99};
  r.comparisons.insert(r.comparisons.begin(), tail);
  const std::string csv = csv_of({&r, 1});
  EXPECT_NE(csv.find(",a.onnx,0.75,0.74,0.76,faster,"), std::string::npos) << csv;
  EXPECT_EQ(csv.find(",1.5,1.4,1.6,slower,"), std::string::npos) << csv;
}

TEST(Csv, HasTheErrorOfEachMethodAndItsReference) {
  const Record r = testing::sample_cold_methods();
  const std::string csv = csv_of({&r, 1});
  EXPECT_NE(csv.find(",off,off_of,off_from,verdict,error\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",-0.89,median,latency,caution,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",0.35,mean,latency,caution,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",,,,caution,the mark has not been reached\n"), std::string::npos) << csv;
}

TEST(Markdown, BeginsWithHowManyMethodsAreOffAndHasTheErrorOfEach) {
  const std::string md = render_markdown(testing::sample_cold_methods(), {});
  EXPECT_NE(md.find("**2 of 3 timing methods for this model are off by more than 5 %"), std::string::npos) << md;
  EXPECT_NE(md.find("| case | metric | median | 95 % interval | n | off | from |\n|---|---|---:|---|---:|---:|---|\n"),
            std::string::npos)
      << md;
  EXPECT_NE(md.find("| 100 | -89 % | latency |\n"), std::string::npos) << md;
  EXPECT_NE(md.find("| reading | 2.52 ms (mean) |  | 100 | +35 % | latency |\n"), std::string::npos) << md;
}

TEST(Csv, HasOfEachFigureWhetherTheNextRunWouldReadItAndWhyNot) {
  Record r = testing::sample_run();
  Metric m = testing::sample_metric(376e3);
  m.verdict = Standing{.word = Repeat::varies, .half_width = 0.038, .cause = "throttled"};
  m.levels = {{376e3, 3, "fast"}, {388e3, 2, "slow"}};
  r.metrics = {{"device_time", m}, {"latency", testing::sample_metric(642e3)}};
  const std::string csv = csv_of({&r, 1});
  EXPECT_NE(csv.find(",next_run,half_width,cause,levels,verdict,error\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",varies,0.038,throttled,376000 (3 fast); 388000 (2 slow),caution,\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",,,,,caution,\n"), std::string::npos) << csv;
}

TEST(Delimited, HaveTheLineThatAListingPrints) {
  Record r = testing::sample_cold_methods();
  EXPECT_EQ(csv_of({&r, 1}).find("prints"), std::string::npos);
  r.cases[0].prints = "mean 0.101 ms, std 0.000 ms, 9901.0 FPS";
  const std::string csv = csv_of({&r, 1}), md = render_markdown(r, {});
  EXPECT_NE(csv.find(",off_from,prints,verdict,error\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",latency,\"mean 0.101 ms, std 0.000 ms, 9901.0 FPS\",caution,\n"), std::string::npos) << csv;
  EXPECT_NE(md.find("| n | off | from | prints |\n"), std::string::npos) << md;
  EXPECT_NE(md.find("| latency | mean 0.101 ms, std 0.000 ms, 9901.0 FPS |\n"), std::string::npos) << md;
}

TEST(Markdown, BeginsWithTheAnswerOfAComparison) {
  const std::string md = render_markdown(compared_record(), {});
  EXPECT_NE(md.find("**b.onnx takes 0.75× as long as a.onnx \\[0.74, 0.76\\]: faster**"), std::string::npos) << md;
  EXPECT_NE(md.find("- fail-on slower=2%: passed by b.onnx"), std::string::npos) << md;
  EXPECT_NE(md.find("| b.onnx | a.onnx | latency | 0.750 | \\[0.740, 0.760\\] | faster |"), std::string::npos) << md;
}

TEST(Markdown, EscapesWhatWouldEndTheTable) {
  const std::string md = render_markdown(record_to_quote(), {});
  EXPECT_NE(md.find("| x\\|y | reading | 1.50 ms |"), std::string::npos) << md;
  EXPECT_NE(md.find("it \\<drifts\\>"), std::string::npos) << md;
  EXPECT_NE(md.find("verdict: **trusted**"), std::string::npos);
}

TEST(Csv, HasALineForEachStageOfACase) {
  Record r;
  r.verb = "pipeline";
  Case c;
  c.name = "event";
  c.stages = {{"large", {{"reading", {}}}, ""}};
  r.cases = {c};
  const std::string csv = format_named("csv").render(r, {});
  EXPECT_NE(csv.find(",event: large,reading,ns,"), std::string::npos);
}

Record sample_overlap() {
  Record r = testing::sample_pipeline();
  Case alone = testing::sample_case("one at a time", {}, {{"period", testing::sample_metric(1e6)}}),
       together = testing::sample_case("2 in flight", {}, {{"period", testing::sample_metric(8e5)}});
  alone.settings["in_flight"] = std::int64_t{1};
  together.settings["in_flight"] = std::int64_t{2};
  r.cases = {alone, together};
  r.comparisons = {{"undisturbed", "sync", "latency", {1.02, 1.01, 1.03, true, {}}, "slower", 8, {}},
                   {"one at a time", "2 in flight", "period", {0.8, 0.79, 0.81, true, {}}, "faster", 8, {}}};
  r.pipeline.marks = "dear";
  r.pipeline.overlap = OverlapAnswer{.in_flight = 2,
                                     .bound = "lane",
                                     .bottleneck = "main",
                                     .lanes = {{"main", 0.98, 0.99, "large"}, {"host", 0.4, {}, "prepare"}}};
  return r;
}

TEST(Markdown, BeginsWithWhatMethodsCostAPipelineAndWhatBoundsIt) {
  const std::string text = render_markdown(sample_overlap(), {});
  for (const char* phrase : {"| method | slows by | 95 % interval | |\n|---|---:|---|---|\n",
                             "| sync | +2.0 % | \\[+1.0 %, +3.0 %\\] | it slows the pipeline |\n",
                             "- one at a time: 1.00 ms an iteration, -; 2 in flight: 800 µs an iteration, -\n",
                             "- 2 in flight: against one at a time +25 %  \\[+23 %, +27 %\\]\n",
                             "- main is the bottleneck, with large most of its work", "- host works 40 % of the time\n",
                             "- marks cost more than 1 %"})
    EXPECT_NE(text.find(phrase), std::string::npos) << phrase << " is not in\n" << text;
  EXPECT_EQ(text.find("| 2 in flight | −"), std::string::npos) << "a period is no cost of a method";
}

TEST(Csv, HasTheLanesOfIterationsInFlight) {
  const Record r = sample_overlap();
  const std::string csv = csv_of({&r, 1});
  for (const char* row : {",main,lane_work,,,,0.98,", ",main,lane_occupied,,,,0.99,", ",main,bottleneck,,,,1,",
                          ",host,lane_work,,,,0.4,", ",host,bottleneck,,,,0,"})
    EXPECT_NE(csv.find(row), std::string::npos) << row << " is not in\n" << csv;
  EXPECT_EQ(csv.find("host,lane_occupied"), std::string::npos);
}

}  // namespace
}  // namespace strobe

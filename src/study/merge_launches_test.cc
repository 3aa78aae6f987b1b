// SPDX-License-Identifier: Apache-2.0
#include "study/merge_launches.h"

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace strobe {
namespace {

constexpr double kMargin = 0.02;

Record merged(std::vector<Record> launches) {
  return merge_launches(std::move(launches), kMargin);
}

Record one_launch(double median, double min, double max, Status status = Status::fixed) {
  Record r;
  r.verb = "run";
  r.status = status;
  Metric& m = r.metrics["latency"];
  m.n = 100;
  m.estimate = {median, 0.999 * median, 1.001 * median, true, {}};
  m.min = min;
  m.max = max;
  return r;
}

std::vector<Record> launches_with(const std::vector<std::optional<Severity>>& severities) {
  std::vector<Record> launches;
  for (const auto& severity : severities) {
    launches.push_back(one_launch(1e6, 0.9e6, 2e6));
    if (severity) launches.back().findings = {{.id = "drift", .severity = *severity, .message = "it drifts"}};
  }
  return launches;
}

TEST(Launches, HaveTheSmallestAndTheLargestOfAllOfThem) {
  const Record r = merged({one_launch(1e6, 0.9e6, 2e6), one_launch(1e6, 0.7e6, 5e6), one_launch(1e6, 0.8e6, 3e6)});
  EXPECT_EQ(r.metrics.at("latency").min, 0.7e6);
  EXPECT_EQ(r.metrics.at("latency").max, 5e6);
}

TEST(Launches, HaveTheCpusOfAllOfThem) {
  std::vector<Record> launches{one_launch(1e6, 0, 1), one_launch(1e6, 0, 1), one_launch(1e6, 0, 1)};
  launches[0].observations.cpus = CpuObservation{{5}, 0, {{"latency", {5}}, {"span", {5}}}};
  launches[1].observations.cpus = CpuObservation{{2}, 1, {{"latency", {2}}}};
  launches[2].observations.cpus = CpuObservation{{5}, 2, {{"latency", {5}}}};
  const CpuObservation all = merged(launches).observations.cpus.value();
  EXPECT_EQ(all.pinned, (std::vector<std::int64_t>{5, 2, 5}));
  EXPECT_EQ(all.moves, 3u);
  EXPECT_EQ(all.passes.at("latency"), (std::vector<std::int64_t>{2, 5}));
  EXPECT_EQ(all.passes.at("span"), std::vector<std::int64_t>{5});
  EXPECT_FALSE(merged({one_launch(1e6, 0, 1)}).observations.cpus);
}

TEST(Launches, GiveTheMedianLaunchAndWhatTheNextWillRead) {
  const Record r = merged({one_launch(376e3, 0, 1), one_launch(388e3, 0, 1), one_launch(375e3, 0, 1),
                           one_launch(387e3, 0, 1), one_launch(377e3, 0, 1)});
  const Estimate& e = r.metrics.at("latency").estimate;
  EXPECT_DOUBLE_EQ(e.value, 377e3);
  EXPECT_LT(*e.low, 375e3);
  EXPECT_GT(*e.high, 388e3);
  ASSERT_EQ(r.metrics.at("latency").levels.size(), 2U);
  EXPECT_EQ(r.metrics.at("latency").levels[0].launches, 3U);
  EXPECT_FALSE(r.metrics.at("latency").trend);
}

TEST(Launches, AreNeverKnownBetterThanOneOfThem) {
  std::vector<Record> launches;
  for (int i = 0; i < 5; ++i) launches.push_back(one_launch(1e6, 0, 1));
  launches[3].metrics["latency"].estimate.low = 0.96e6;
  launches[3].metrics["latency"].estimate.high = 1.04e6;
  const Estimate e = merged(launches).metrics.at("latency").estimate;
  EXPECT_NEAR(*e.high, 1e6 * std::exp(0.04), 1);
  EXPECT_NEAR(*e.low, 1e6 * std::exp(-0.04), 1);
}

TEST(Launches, KeepTheIntervalForTheNextWherePercentilesAreNear) {
  std::vector<Record> launches;
  for (int i = 0; i < 3; ++i) {
    launches.push_back(one_launch(1e6, 0, 1));
    launches.back().metrics["latency"].percentiles = {{0.9, Estimate{1.0001e6, 1e6, 1.0002e6, true, {}}, {}}};
  }
  const Metric m = merged(launches).metrics.at("latency");
  EXPECT_NEAR(*m.estimate.high, 1e6 * std::exp(0.0025), 1);
  EXPECT_GE(*m.percentiles.at(0).estimate->high, *m.estimate.high);
}

TEST(Launches, GiveAPercentileWithItsRangeWhereEachOfThemCould) {
  std::vector<Record> launches;
  for (const double p90 : {1.3e6, 1.1e6, 1.2e6}) {
    launches.push_back(one_launch(1e6, 0, 1));
    launches.back().metrics["latency"].percentiles = {{0.9, Estimate{p90, 1e6, 2e6, true, {}}, {}}};
  }
  const Percentile with = merged(launches).metrics.at("latency").percentiles.at(0);
  EXPECT_DOUBLE_EQ(with.estimate->value, 1.2e6);
  EXPECT_DOUBLE_EQ(*with.estimate->high, 1.3e6);
  launches[1].metrics["latency"].percentiles = {{0.9, {}, 500}};
  const Percentile without = merged(launches).metrics.at("latency").percentiles.at(0);
  EXPECT_FALSE(without.estimate);
  EXPECT_EQ(without.needs, 500U);
}

const Finding& only_finding(const Record& r) {
  EXPECT_EQ(r.findings.size(), 1u);
  return r.findings.at(0);
}

Record drifting(double drift, Severity severity = Severity::warning) {
  Record r = one_launch(1e6, 0.9e6, 2e6);
  r.findings = {{.id = "drift",
                 .severity = severity,
                 .message = "it drifts",
                 .evidence = {{"drift", drift}},
                 .metric = "latency"}};
  return r;
}

TEST(Launches, AreDoubtedForWhatAllButOneOfThemShowTheSameWay) {
  const Record quiet = one_launch(1e6, 0.9e6, 2e6);
  const auto with = [&](const std::vector<Record>& all) { return merged(all); };
  const Record most = with({drifting(0.03), drifting(0.03), drifting(0.04), drifting(0.03), quiet});
  EXPECT_EQ(only_finding(most).severity, Severity::warning);
  EXPECT_EQ(most.verdict, Verdict::caution);
  EXPECT_EQ(only_finding(most).message, "(4 of 5 launches) it drifts");
  const Record some = with({drifting(0.03), drifting(0.03), drifting(0.04), quiet, quiet});
  EXPECT_EQ(only_finding(some).severity, Severity::note);
  EXPECT_EQ(some.verdict, Verdict::trusted);
  const Record both_ways = with({drifting(0.03), drifting(-0.03), drifting(0.04), drifting(-0.03), drifting(0.03)});
  EXPECT_EQ(only_finding(both_ways).severity, Severity::note);
}

TEST(Launches, AreNotDoubtedForATrifleThatAllShowAndOneDisturbedLaunch) {
  const Record note = drifting(0.003, Severity::note), warning = drifting(0.03), quiet = one_launch(1e6, 0.9e6, 2e6);
  const Record one = merged({warning, note, note, note, note});
  EXPECT_EQ(only_finding(one).severity, Severity::note);
  EXPECT_EQ(one.verdict, Verdict::trusted);
  EXPECT_EQ(only_finding(merged({warning, warning, warning, note, note})).severity, Severity::note);
  EXPECT_EQ(only_finding(merged({warning, warning, warning, warning, note})).severity, Severity::warning);
  EXPECT_EQ(only_finding(merged({note, warning, warning, warning, quiet})).severity, Severity::note);
}

TEST(Launches, AreToldOfOneOfThoseThatAgree) {
  Record other_way = drifting(-0.03);
  other_way.findings[0].message = "it falls";
  const Record rising = drifting(0.03), rising_a_little = drifting(0.003, Severity::note);
  const Finding most = only_finding(merged({other_way, rising, rising, rising, rising}));
  EXPECT_EQ(most.severity, Severity::warning);
  EXPECT_EQ(most.message, "it drifts");
  EXPECT_EQ(only_finding(merged({other_way, rising, rising, rising, rising_a_little})).severity, Severity::note)
      << "a trifle the same way is none of them";
}

// The latency jumps by this factor, at the same time in each launch.
Record with_a_step(double ratio) {
  Record r = one_launch(1e6, 0.9e6, 2e6);
  r.metrics["latency"].facts.shifts = {{.at_seconds = 0.5, .ratio = ratio}};
  judge(r);
  return r;
}

TEST(Launches, WithStepsUpAndDownAreNotDoubtedForEither) {
  const Record up = with_a_step(1.1), down = with_a_step(0.9);
  EXPECT_EQ(only_finding(merged({up, up, up, up, down})).severity, Severity::warning);
  const Record mixed = merged({up, up, up, down, down});
  EXPECT_EQ(only_finding(mixed).id, "level-shift");
  EXPECT_EQ(only_finding(mixed).severity, Severity::note);
}

TEST(Launches, ThatSwitchBetweenLevelsAreAlikeWhicheverStepIsTheLargest) {
  Record up = one_launch(1e6, 0.9e6, 2e6);
  up.metrics["latency"].facts.shifts = {{.at_seconds = 0.2, .ratio = 1.1}, {.at_seconds = 0.6, .ratio = 0.92}};
  up.metrics["latency"].facts.regime_switching = true;
  Record down = up;
  down.metrics["latency"].facts.shifts = {{.at_seconds = 0.2, .ratio = 1.08}, {.at_seconds = 0.6, .ratio = 0.9}};
  judge(up);
  judge(down);
  EXPECT_EQ(only_finding(merged({up, up, up, down, down})).severity, Severity::warning);
}

// Judged as a launch is: the latency rises by 15 %, the device time by 3 % where it does.
Record judged_launch(bool device_drifts) {
  Record r = one_launch(1e6, 0.9e6, 2e6);
  r.strobe.build = "Release";
  r.metrics["device_time"] = r.metrics["latency"];
  for (const auto& [name, drift] : {std::pair("latency", 0.15), std::pair("device_time", 0.03)}) {
    Facts& f = r.metrics[name].facts;
    f.drift = drift;
    f.drifting = device_drifts || name == std::string_view("latency");
  }
  judge(r);
  return r;
}

Severity drift_of_device_time(const Record& r) {
  for (const Finding& f : r.findings) {
    if (f.id == "drift" && f.metric == "device_time") return f.severity;
  }
  ADD_FAILURE() << "it is not found";
  return Severity::invalid;
}

TEST(Launches, AreWeighedByHowManyShowADriftOfTheSameMetric) {
  const auto with = [](std::size_t drifting) {
    std::vector<Record> launches;
    for (std::size_t i = 0; i < 5; ++i) launches.push_back(judged_launch(i < drifting));
    return merged(launches);
  };
  EXPECT_EQ(drift_of_device_time(with(4)), Severity::warning) << "all but one";
  EXPECT_EQ(drift_of_device_time(with(3)), Severity::note) << "although all five show one of the latency";
  EXPECT_EQ(with(4).findings.size(), 2u);
}

TEST(Launches, AreInvalidForWhatTheFirstAloneLooksAt) {
  std::vector<Record> launches = launches_with({{}, {}, {}, {}, {}});
  launches[0].findings = {{.id = "output-mismatch", .severity = Severity::invalid, .message = "outputs differ"}};
  const Record r = merged(launches);
  EXPECT_EQ(r.verdict, Verdict::invalid);
  EXPECT_EQ(only_finding(r).message, "outputs differ");
  EXPECT_EQ(r.metrics.at("latency").verdict->word, Repeat::invalid);
}

TEST(Launches, RepeatWhereTheIntervalForTheNextIsWithinTheMargin) {
  std::vector<Record> alike, apart;
  for (const double x : {1.000, 1.002, 0.999, 1.001, 1.000}) alike.push_back(one_launch(x * 1e6, 0, 1));
  for (const double x : {1.00, 1.04, 0.98, 1.03, 0.97}) apart.push_back(one_launch(x * 1e6, 0, 1));
  const Record good = merged(alike), bad = merged(apart);
  EXPECT_EQ(good.metrics.at("latency").verdict->word, Repeat::repeats);
  EXPECT_EQ(good.verdict, Verdict::trusted);
  EXPECT_EQ(bad.metrics.at("latency").verdict->word, Repeat::varies);
  EXPECT_GT(*bad.metrics.at("latency").verdict->half_width, 0.03);
  EXPECT_EQ(bad.verdict, Verdict::caution);
}

TEST(Launches, CountAsTheMedianOfTheirRounds) {
  std::vector<Record> launches;
  for (int i = 0; i < 5; ++i) {
    launches.push_back(one_launch(1e6, 0, 1));
    launches.back().metrics["latency"].facts.median_of_rounds = 2e6;
  }
  EXPECT_DOUBLE_EQ(merged(launches).metrics.at("latency").estimate.value, 2e6);
}

TEST(Launches, KeepWhatOnlyTheFirstMeasured) {
  std::vector<Record> launches = launches_with({{}, {}, {}});
  launches[0].metrics["span"] = launches[0].metrics["latency"];
  const Record r = merged(launches);
  EXPECT_EQ(r.metrics.at("span").estimate.value, 1e6);
  EXPECT_EQ(r.metrics.at("span").verdict->word, Repeat::one_launch);
}

TEST(Launches, OfWaitsThatAreZeroAreAsWideAsTheWidestOfThem) {
  std::vector<Record> launches = launches_with({{}, {}, {}});
  for (Record& r : launches) {
    Metric& wait = r.metrics["waiting"];
    wait.n = 10;
    wait.estimate = {0, 0.0, 3500.0, true, {}};
  }
  const Metric zero = merged(launches).metrics.at("waiting");
  ASSERT_TRUE(zero.known()) << zero.unknown;
  EXPECT_EQ(zero.estimate.value, 0);
  EXPECT_EQ(*zero.estimate.low, 0);
  EXPECT_EQ(*zero.estimate.high, 3500);
}

TEST(Launches, AreAskedTogetherWhatNoneCanSayAlone) {
  std::vector<Record> launches = launches_with({{}, {}, {}});
  for (Record& r : launches) {
    r.verb = "pipeline";
    r.findings = {{.id = "disturbed", .message = "cannot tell"}};
  }
  EXPECT_TRUE(merged(launches).findings.empty());
  const auto compared = [](const std::vector<Record>&, Record& whole) {
    whole.comparisons = {{"undisturbed", "event", "latency", {1.1, 1.09, 1.11, true, {}}, "slower", 8, {}}};
    whole.rounds = 32;
  };
  const Record r = merge_launches(launches, kMargin, compared);
  EXPECT_EQ(only_finding(r).id, "disturbed");
  for (const Case& launch : r.launches) EXPECT_TRUE(launch.findings.empty());
}

TEST(Launches, SayWhereTheyRiseFromOneToTheNext) {
  std::vector<Record> launches;
  for (int i = 0; i < 6; ++i) launches.push_back(one_launch((1 + 0.01 * i) * 1e6, 0, 1));
  const Record r = merged(launches);
  EXPECT_EQ(only_finding(r).id, "launch-trend");
  EXPECT_EQ(r.verdict, Verdict::caution);
}

TEST(Launches, ThatAreLoadsInOneProcessAreCalledLoadsAndStayOneLaunch) {
  std::vector<Record> loads;
  for (int i = 0; i < 6; ++i) {
    loads.push_back(one_launch((1 + 0.01 * i) * 1e6, 0, 1));
    loads.back().findings = {{.id = "one-launch", .about = About::machine, .message = "this launch only"}};
    if (i > 0) loads.back().findings.push_back({.id = "drift", .message = "it drifts"});
    loads.back().one_process = true;
  }
  const Record r = merged(std::move(loads));
  EXPECT_TRUE(r.one_process);
  EXPECT_EQ(r.launches.at(5).name, "load 6");
  ASSERT_EQ(r.findings.size(), 3u);
  EXPECT_EQ(r.findings[0].message, "latency rises by 1.0 % from one load to the next");
  EXPECT_EQ(r.findings[1].message, "(5 of 6 loads) it drifts");
  EXPECT_EQ(r.findings[2].id, "one-launch");
  EXPECT_EQ(r.metrics.at("latency").verdict->word, Repeat::varies_over_loads);
}

// Streams with a pause of 1.5 µs are fast here, those of 1.6 µs slow.
Record on_a_stream(double device_time, double pause_ns, bool knows_both = true) {
  Record r = one_launch(device_time, 0, 1);
  StreamObservation& s = r.observations.stream.emplace();
  s.pause_ns = pause_ns;
  if (!knows_both) return r;
  s.fast_pause_ns = 1500;
  s.slow_pause_ns = 1600;
  s.fast = 6;
  s.slow = 14;
  return r;
}

TEST(Launches, OnStreamsOfTwoLevelsSpeakOfTheFastOneAndHoldBoth) {
  const Record r = merged({on_a_stream(376e3, 1501), on_a_stream(388e3, 1603), on_a_stream(376.4e3, 1499),
                           on_a_stream(387.7e3, 1601), on_a_stream(388.2e3, 1605, false)});  // all its streams are slow
  const Metric& m = r.metrics.at("latency");
  EXPECT_NEAR(m.estimate.value, 376.2e3, 1);
  EXPECT_LT(*m.estimate.low, 376e3);
  EXPECT_GT(*m.estimate.high, 388.2e3);
  EXPECT_LT(*m.estimate.high, 391e3);
  ASSERT_EQ(m.levels.size(), 2u);
  EXPECT_EQ(m.levels[0].stream, "fast");
  EXPECT_EQ(m.levels[1].launches, 3u);
  EXPECT_EQ(m.verdict->word, Repeat::repeats);
  EXPECT_LT(*m.verdict->half_width, 0.004);
}

TEST(Launches, ThatStreamsDoNotTellApartAreOne) {
  const Record r = merged({on_a_stream(1e6, 1501), on_a_stream(1.001e6, 1603), on_a_stream(0.999e6, 1499),
                           on_a_stream(1.0005e6, 1601), on_a_stream(1.002e6, 1500)});
  EXPECT_TRUE(r.metrics.at("latency").levels.empty());
  EXPECT_FALSE(r.metrics.at("latency").level_half_width);
}

// As `run` makes them: the first one counts kernels and asks for a fast stream, some of the others for a slow one.
Record judged_on_a_stream(double device_time, const char* level, std::optional<double> kernels = {}) {
  Record r = one_launch(1e6, 0, 1);
  r.metrics["device_time"] = one_launch(device_time, 0, 1).metrics.at("latency");
  const bool slow = std::string_view(level) == "slow";
  r.observations.stream = {slow ? 1590.0 : 1470.0, level, 1470, 1590, 9, 11};
  r.observations.kernels_per_request = kernels;
  judge(r);
  return r;
}

TEST(Launches, SayWhatASlowStreamCostsWhereTheFirstAloneCountsKernels) {
  const Record r = merged({judged_on_a_stream(376e3, "fast", 60), judged_on_a_stream(388e3, "slow"),
                           judged_on_a_stream(376.2e3, "fast"), judged_on_a_stream(388.2e3, "slow"),
                           judged_on_a_stream(375.8e3, "fast")});
  ASSERT_EQ(only_finding(r).id, "slow-stream");
  EXPECT_NEAR(r.findings[0].evidence.at("share"), 1 - 376 / 388.1, 1e-9);
}

TEST(Launches, DoNotBelieveAnEstimateOfASlowStreamThatTheyDoNotRead) {
  const Record slow = judged_on_a_stream(376.2e3, "slow", 60), fast = judged_on_a_stream(376e3, "fast", 60);
  EXPECT_EQ(only_finding(slow).id, "slow-stream");
  EXPECT_TRUE(merged({fast, slow, fast, slow, fast}).findings.empty());
}

TEST(Launches, OnSlowStreamsAloneSayWhatTheFirstEstimates) {
  const Record counted = judged_on_a_stream(388e3, "slow", 60), other = judged_on_a_stream(388.1e3, "slow");
  EXPECT_EQ(only_finding(merged({counted, other, other, other, other})).id, "slow-stream");
}

Record with_reading(double reading, double difference, std::vector<Finding> findings = {}) {
  Record r = one_launch(1e6, 0, 1);
  Case& c = r.cases.emplace_back();
  c.name = "naive";
  c.metrics["reading"].n = 45;
  c.metrics["reading"].estimate = {reading, 0.99 * reading, 1.01 * reading, true, {}};
  c.difference = difference;
  c.findings = std::move(findings);
  return r;
}

TEST(Launches, MergeEachOfTheirCases) {
  const Record r = merged({with_reading(2.0e6, 0.9), with_reading(2.2e6, 1.3), with_reading(2.1e6, 1.1)});
  ASSERT_EQ(r.cases.size(), 1u);
  const Metric& reading = r.cases[0].metrics.at("reading");
  EXPECT_DOUBLE_EQ(reading.estimate.value, 2.1e6);
  EXPECT_GT(*reading.estimate.high, 2.2e6);
  EXPECT_EQ(reading.n, 135u);
  EXPECT_DOUBLE_EQ(*r.cases[0].difference, 1.1);
}

TEST(Launches, TellReadingsOfCasesByTheLevelsOfStreamsToo) {
  std::vector<Record> launches;
  for (const auto& [reading, pause] : {std::pair{376e3, 1501}, {388e3, 1603}, {376.4e3, 1499}, {387.7e3, 1601}}) {
    launches.push_back(with_reading(reading, 0));
    launches.back().observations.stream = on_a_stream(reading, pause).observations.stream;
  }
  launches.push_back(on_a_stream(376.2e3, 1500));  // cut short: without the case
  const Metric reading = merged(launches).cases.at(0).metrics.at("reading");
  ASSERT_EQ(reading.levels.size(), 2u);
  EXPECT_EQ(reading.levels[1].stream, "slow");
  EXPECT_EQ(reading.levels[1].launches, 2u);
  EXPECT_NEAR(reading.estimate.value, 376.2e3, 1);
}

TEST(Launches, HaveNoDifferenceWhereOneOfThemHasNone) {
  std::vector<Record> launches{with_reading(2e6, 0.9), with_reading(2e6, 0.9), with_reading(2e6, 0.9)};
  launches[1].cases[0].difference.reset();
  launches[2].cases[0].error = "it waits for its own work";
  const Case c = merged(launches).cases.at(0);
  EXPECT_FALSE(c.difference);
  EXPECT_EQ(c.error, "it waits for its own work");
}

TEST(Launches, ExplainAReadingByWhatAnyOfThemFound) {
  const Finding f{.id = "unsynchronized", .severity = Severity::warning, .message = "it stops too early"};
  const Record r = merged({with_reading(2e6, 1), with_reading(2e6, 1, {f}), with_reading(2e6, 1, {f})});
  ASSERT_EQ(r.cases.at(0).findings.size(), 1u);
  EXPECT_EQ(r.cases[0].findings[0].id, "unsynchronized");
}

TEST(Launches, AreAsCompleteAsTheWorstOfThem) {
  const auto status = [](const std::vector<Status>& all) {
    std::vector<Record> launches;
    for (const Status s : all) launches.push_back(one_launch(1e6, 0.9e6, 2e6, s));
    return merged(launches).status;
  };
  EXPECT_EQ(status({Status::fixed, Status::fixed}), Status::fixed);
  EXPECT_EQ(status({Status::fixed, Status::not_converged, Status::fixed}), Status::not_converged);
  EXPECT_EQ(status({Status::fixed, Status::interrupted, Status::not_converged}), Status::interrupted);
  EXPECT_EQ(status({Status::not_converged, Status::interrupted}), Status::interrupted);
}

}  // namespace
}  // namespace strobe

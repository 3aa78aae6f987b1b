// SPDX-License-Identifier: Apache-2.0
#include "report/finding_lines.h"

#include <gtest/gtest.h>

#include "report/delimited.h"
#include "report/text/text.h"
#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

Finding drift_in(std::string metric, double drift, Severity severity = Severity::warning) {
  return {.id = "drift",
          .severity = severity,
          .message = metric + " drifts",
          .advice = "Wait",
          .evidence = {{"drift", drift}},
          .metric = std::move(metric)};
}

Record with_findings(std::vector<Finding> findings) {
  Record r = sample_run();
  r.findings = std::move(findings);
  return r;
}

TEST(FindingLines, SayOnceWhatSeveralMetricsShowTheStrongestFirst) {
  const Record r = with_findings({drift_in("device_time", -0.012), drift_in("latency", 0.15)});
  const auto lines = finding_lines(r);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(message_of(lines[0]), "latency drifts (also device time -1.2 %)");
}

TEST(FindingLines, AreLedByWhatCountsAndCallTheOthersNotes) {
  const Record r = with_findings({drift_in("device_time", 0.03), drift_in("latency", 0.15, Severity::note)});
  EXPECT_EQ(message_of(finding_lines(r).front()), "device_time drifts (also latency +15 % as a note)");
}

TEST(FindingLines, KeepApartWhatHasAnotherNameTheSameMetricOrNone) {
  Finding shift = drift_in("latency", 0.1), old = drift_in("", 0.1);
  shift.id = "level-shift";
  EXPECT_EQ(finding_lines(with_findings({drift_in("latency", 0.1), shift, old})).size(), 3U);
  EXPECT_EQ(finding_lines(with_findings({drift_in("latency", 0.1), drift_in("latency", 0.2)})).size(), 2U);
}

TEST(FindingLines, KeepApartThePointsOfASweep) {
  Record r = with_findings({drift_in("latency", 0.1), drift_in("device_time", 0.1)});
  r.metrics.clear();
  EXPECT_EQ(finding_lines(r).size(), 2U);
}

TEST(FindingLines, SayHowFarModesAreApartAndHowMuchAStepChanges) {
  Finding modes = drift_in("latency", 0), steps = drift_in("latency", 0);
  modes.id = "bimodal";
  modes.evidence = {{"distance", 0.05}};
  steps.id = "level-shift";
  steps.evidence = {{"ratio", 0.9}};
  Record r = with_findings({modes, modes, steps, steps});
  r.findings[1].metric = r.findings[3].metric = "device_time";
  const auto lines = finding_lines(r);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(has(message_of(lines[0]), "(also device time 5.0 %)")) << message_of(lines[0]);
  EXPECT_TRUE(has(message_of(lines[1]), "(also device time -10 %)")) << message_of(lines[1]);
}

TEST(FindingLines, AreOneLineOfTextOneItemOfThePageAndOneOfMarkdown) {
  Record r = with_findings({drift_in("device_time", 0.012), drift_in("latency", 0.15)});
  r.verdict = Verdict::caution;
  constexpr const char* kLine = "latency drifts (also device time +1.2";
  for (const bool verbose : {false, true})
    EXPECT_TRUE(has(render_text(r, {.verbose = verbose}), kLine)) << render_text(r, {.verbose = verbose});
  EXPECT_FALSE(has(text(r), "device_time drifts")) << text(r);
  EXPECT_FALSE(has(html(r), "<span>device_time drifts"));
  EXPECT_TRUE(has(html(r), kLine));
  EXPECT_TRUE(has(render_markdown(r, {}), "device time +1.2 %"));
}

TEST(FindingLines, AreNamedOnceAmongNotes) {
  Record r =
      with_findings({drift_in("device_time", 0.002, Severity::note), drift_in("latency", 0.002, Severity::note)});
  r.verdict = Verdict::trusted;
  EXPECT_TRUE(has(text(r), "note         drift (--verbose)\n")) << text(r);
}

}  // namespace
}  // namespace strobe

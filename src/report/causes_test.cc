// SPDX-License-Identifier: Apache-2.0
#include "report/causes.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "verdict/judge.h"

namespace strobe {
namespace {

Finding finding(std::string id, Severity severity, std::map<std::string, double, std::less<>> evidence = {},
                About about = About::measurement) {
  return {
      .id = id, .about = about, .severity = severity, .message = "message of " + id, .evidence = std::move(evidence)};
}

std::vector<Cause> causes_of(const std::vector<CauseGroup>& groups) {
  std::vector<Cause> causes;
  for (const CauseGroup& g : groups) causes.push_back(g.cause);
  return causes;
}

TEST(Causes, GroupWhatABusyMachineDoesUnderOneTitle) {
  const std::vector<Finding> findings{finding("preempted", Severity::warning, {{"share", 0.6}, {"effect", 0.5}}),
                                      finding("drift", Severity::warning, {{"drift", 0.1}}),
                                      finding("noisy-host", Severity::warning, {{"canary_excess", 0.2}}),
                                      finding("governor", Severity::note)};
  const auto groups = by_cause(findings);
  ASSERT_EQ(causes_of(groups), (std::vector{Cause::host, Cause::instability}));
  EXPECT_EQ(groups[0].findings.size(), 3U);
  EXPECT_EQ(groups[0].title, "the machine was disturbed");
  EXPECT_EQ(groups[0].phrase, "something else took the CPU 60 % of the time");
  EXPECT_EQ(groups[0].effect, 0.5);
}

TEST(Causes, PutWhatCountsFirstAndAdviceLast) {
  const std::vector<Finding> findings{finding("host-bound", Severity::note, {}, About::workload),
                                      finding("governor", Severity::note),
                                      finding("bimodal", Severity::warning, {{"distance", 0.3}})};
  const auto groups = by_cause(findings);
  EXPECT_EQ(causes_of(groups), (std::vector{Cause::instability, Cause::notes, Cause::advice}));
  EXPECT_TRUE(groups[0].counts);
  EXPECT_FALSE(groups[1].counts);
  EXPECT_EQ(groups[1].title, "notes");  // nothing says that the machine was disturbed
}

TEST(Causes, AreLedByADisturbanceUnlessItIsFarTooSmallToExplainTheRest) {
  std::vector<Finding> findings{finding("bimodal", Severity::warning, {{"distance", 0.3}}),
                                finding("preempted", Severity::warning, {{"share", 0.2}, {"effect", 0.1}})};
  EXPECT_EQ(by_cause(findings).front().cause, Cause::host);
  findings[1].evidence["effect"] = 0.02;
  EXPECT_EQ(by_cause(findings).front().cause, Cause::instability);
}

TEST(Causes, AreLedByWhatMakesTheResultWrongWhateverElseWasSeen) {
  const std::vector<Finding> findings{finding("preempted", Severity::warning, {{"share", 0.9}, {"effect", 0.9}}),
                                      finding("output-mismatch", Severity::invalid)};
  EXPECT_EQ(by_cause(findings).front().phrase, "message of output-mismatch");
}

TEST(Causes, OfAFindingNobodyListedAreKeptWithItsOwnWords) {
  const std::vector<Finding> findings{finding("brand-new", Severity::warning, {{"effect", -0.04}})};
  const auto groups = by_cause(findings);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].cause, Cause::other);
  EXPECT_EQ(groups[0].phrase, "message of brand-new");
  EXPECT_EQ(groups[0].effect, 0.04);
}

TEST(Causes, FallBackOnTheMessageWhereTheNumberIsMissing) {
  EXPECT_EQ(short_phrase(finding("preempted", Severity::warning)), "message of preempted");
  EXPECT_EQ(effect_of(finding("drift", Severity::warning)), std::nullopt);
}

TEST(Causes, KnowEveryDetectorThatMayMakeAVerdict) {
  // About the workload: they never count, and are all advice. The last two say what is set, with no cause in common.
  const std::vector<std::string_view> elsewhere{
      "host-bound",          "slow-stream",   "power-capped",     "allocates-inside-timing",
      "reduced-math",        "cpu-fallback",  "pageable-copy",    "stage-waits",
      "slow-after-pause",    "other-device",  "persisting-cache", "another-profiler",
      "kernel-list-differs", "training-mode", "autograd-on",      "cudnn-benchmark"};
  for (const Detector& d : detectors()) {
    const std::vector<Finding> findings{finding(std::string(d.id), Severity::warning)};
    const bool listed = by_cause(findings).front().cause != Cause::other;
    EXPECT_EQ(listed, std::find(elsewhere.begin(), elsewhere.end(), d.id) == elsewhere.end()) << d.id;
  }
}

}  // namespace
}  // namespace strobe

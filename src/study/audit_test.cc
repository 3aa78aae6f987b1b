// SPDX-License-Identifier: Apache-2.0
// Somebody else's times, with planted faults: each must be named as a warning at least, and a clean series must not be
// doubted.
#include "study/audit.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe {
namespace {

std::vector<double> clean(std::size_t n, double correlation = 0.5, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> xs;
  double state = 0;
  for (std::size_t i = 0; i < n; ++i) {
    state = correlation * state + std::sqrt(1 - correlation * correlation) * random.normal();
    xs.push_back(2.0 * std::exp(0.01 * state));  // ms
  }
  return xs;
}

Record audited(const std::vector<double>& ms) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("strobe-audit-{}.txt", ::getpid());
  std::ofstream out(path);
  for (const double x : ms) out << fmt::format("{:.6f}\n", x);
  out.close();
  Record r = audit({.file = path.string(), .times = true, .reading = {.unit = "ms"}});
  std::filesystem::remove(path);
  return r;
}

bool warns(const Record& r, std::string_view id) {
  return std::any_of(r.findings.begin(), r.findings.end(),
                     [&](const Finding& f) { return f.id == id && f.severity != Severity::note; });
}

TEST(Audit, TrustsACleanModeratelyCorrelatedSeries) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Record r = audited(clean(1000, 0.5, seed));
    EXPECT_EQ(r.verdict, Verdict::trusted) << seed << " " << (r.findings.empty() ? "" : r.findings[0].message);
  }
  EXPECT_NEAR(audited(clean(1000)).find("reading")->estimate.value, 2e6, 2e4);
}

TEST(Audit, FindsAWarmUpAndLeavesItOut) {
  std::vector<double> xs = clean(1000);
  for (std::size_t i = 0; i < 200; ++i) xs[i] *= 1 + 2 * std::exp(-static_cast<double>(i) / 50);
  const Record r = audited(xs);
  EXPECT_TRUE(warns(r, "no-warm-up"));
  EXPECT_NEAR(r.find("reading")->estimate.value, 2e6, 3e4);
}

TEST(Audit, TakesRequestsToFollowEachOtherWhereTheFileHasNoTimes) {
  const Record r = audited(clean(1000));
  EXPECT_NEAR(r.find("reading")->curve.back().at_seconds, 2, 0.05);  // 1,000 of 2 ms
}

TEST(Audit, FindsADrift) {
  std::vector<double> xs = clean(1000);
  for (std::size_t i = 0; i < xs.size(); ++i) xs[i] *= 1 + 0.1 * static_cast<double>(i) / 1000;
  EXPECT_TRUE(warns(audited(xs), "drift"));
}

TEST(Audit, FindsTwoModes) {
  std::vector<double> xs = clean(1000, 0);
  for (std::size_t i = 0; i < xs.size(); i += 3) xs[i] *= 1.2;
  EXPECT_TRUE(warns(audited(xs), "bimodal"));
}

TEST(Audit, FindsThatThereIsOneSample) {
  EXPECT_TRUE(warns(audited({2.0}), "one-sample"));
  EXPECT_TRUE(warns(audited({2.0, 2.1, 2.05}), "too-few-samples"));
}

TEST(Audit, FindsAClockThatTicksInMilliseconds) {
  std::vector<double> many = clean(1000, 0), two = many;
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i] = std::round(many[i] * 2.5 + std::sin(static_cast<double>(i)));  // 4, 5 and 6 ms
    two[i] = std::round(two[i] + 0.5 * std::sin(static_cast<double>(i)));    // 2 and 3, say
  }
  EXPECT_TRUE(warns(audited(many), "timer-resolution"));
  EXPECT_TRUE(warns(audited(two), "timer-resolution"));
  EXPECT_TRUE(warns(audited(std::vector<double>(100, 2.0)), "timer-resolution"));
}

TEST(Audit, RefusesATailWithoutSupport) {
  const Record r = audited(clean(100));
  const auto& percentiles = r.find("reading")->percentiles;
  EXPECT_TRUE(
      std::any_of(percentiles.begin(), percentiles.end(), [](const Percentile& p) { return p.p == 0.99 && p.needs; }));
}

TEST(Audit, LeavesWhatNoDetectorFoundAsItWasStored) {
  Record swept;
  swept.verb = "run";
  swept.cases.resize(2);
  swept.findings = {
      {.id = "work-escaped", .severity = Severity::invalid, .message = "(seed 1) it works on", .advice = {}}};
  swept.verdict = Verdict::invalid;
  const auto path = std::filesystem::temp_directory_path() / fmt::format("strobe-swept-{}.json", ::getpid());
  std::ofstream(path) << json(swept);
  const Record r = audit({.file = path.string(), .times = false, .reading = {}});
  std::filesystem::remove(path);
  EXPECT_EQ(r.verdict, Verdict::invalid);
  EXPECT_TRUE(r.findings.size() == 1 && r.findings[0].id == "work-escaped");
}

}  // namespace
}  // namespace strobe

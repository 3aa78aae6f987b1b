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

// What trtexec writes of 1,000 requests, with six digits a number: copies of 0.2 and 0.1 ms, and `submit` ms of the
// host.
std::string trtexec_file(double submit, bool copies) {
  std::string text = "[\n";
  double now = 200;
  const char* separator = "  ";
  for (const double compute : clean(1000)) {
    const double in = copies ? 0.2 : 0, out = copies ? 0.1 : 0;
    text += fmt::format(R"({}{{ "startEnqMs" : {:.6g}, "endEnqMs" : {:.6g}, "startH2dMs" : {:.6g}, )", separator, now,
                        now + submit, now);
    text += fmt::format(
        R"("endComputeMs" : {:.6g}, "h2dMs" : {:.6g}, "computeMs" : {:.6g}, "d2hMs" : {:.6g}, "latencyMs" : {:.6g} }})",
        now + compute, in, compute, out, in + compute + out);
    text += "\n";
    separator = ", ";
    now += std::max(compute, submit) + 0.01;
  }
  return text + "]\n";
}

Record audited_file(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("strobe-audit-{}.json", ::getpid());
  std::ofstream(path) << text;
  Record r = audit({.file = path.string(), .times = true, .reading = {}});
  std::filesystem::remove(path);
  return r;
}

bool found(const Record& r, std::string_view id) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.id == id; });
}

TEST(Audit, JudgesEachTimeOfTrtexecAsWhatItIs) {
  const Record r = audited_file(trtexec_file(0.4, true));
  EXPECT_NEAR(r.find("reading")->estimate.value, 2.3e6, 2e4);
  EXPECT_NEAR(r.find("span")->estimate.value, 2e6, 2e4);
  EXPECT_NEAR(r.find("copy_in")->estimate.value, 0.2e6, 1);
  EXPECT_NEAR(r.find("copy_out")->estimate.value, 0.1e6, 1);
  EXPECT_NEAR(r.find("submit")->estimate.value, 0.4e6, 10e3);
  EXPECT_EQ(r.find("device_time"), nullptr);
  EXPECT_EQ(r.find("latency"), nullptr) << "nobody waited for its sum";
  EXPECT_EQ(r.verdict, Verdict::trusted) << (r.findings.empty() ? "" : r.findings[0].message);
  EXPECT_TRUE(found(r, "copy-inside-timing"));
  EXPECT_FALSE(found(r, "host-bound"));
}

TEST(Audit, SaysWhereTrtexecsComputeTimeIsTheHosts) {
  const Record r = audited_file(trtexec_file(1.9, false));
  EXPECT_TRUE(found(r, "host-bound"));
  EXPECT_FALSE(found(r, "copy-inside-timing"));
  EXPECT_FALSE(r.metrics.contains("copy_in"));
  EXPECT_EQ(r.verdict, Verdict::trusted) << "advice: the reading is what it says";
}

// A graph is launched in microseconds; its stamps have steps of ten.
TEST(Audit, SaysThatASubmitIsTooShortForTheStampsOfItsFile) {
  const Record r = audited_file(trtexec_file(0.004, false));
  ASSERT_TRUE(r.metrics.contains("submit"));
  EXPECT_FALSE(r.metrics.at("submit").known());
  EXPECT_NE(r.metrics.at("submit").unknown.find("10"), std::string::npos) << r.metrics.at("submit").unknown;
  EXPECT_EQ(r.verdict, Verdict::trusted);
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

// SPDX-License-Identifier: Apache-2.0
#include "cli/foreign_words.h"

#include <gtest/gtest.h>

namespace strobe::cli {
namespace {

const std::vector<std::string> kRun{"MODEL",   "--requests",    "--warmup",   "--min-time", "--max-time",
                                    "--batch", "--device",      "--dtype",    "--shape",    "--threads",
                                    "--graph", "--percentiles", "--in-flight"};

TEST(ForeignOptions, AreAnsweredWithOurs) {
  EXPECT_EQ(answer_foreign_option("--iterations", kRun), "strobe has no --iterations; use --requests N");
  EXPECT_EQ(answer_foreign_option("--iterations=20", kRun), "strobe has no --iterations; use --requests N");
  EXPECT_EQ(answer_foreign_option("--duration", kRun),
            "strobe has no --duration; use --min-time TIME or --max-time TIME");
  EXPECT_EQ(answer_foreign_option("-b", kRun), "strobe has no -b; use --batch N");
  EXPECT_EQ(answer_foreign_option("-b8", kRun), "strobe has no -b8; use --batch N");
  EXPECT_EQ(answer_foreign_option("-niter", kRun), "strobe has no -niter; use --requests N");
  EXPECT_EQ(answer_foreign_option("--gpu", kRun), "strobe has no --gpu; use --device cuda");
}

TEST(ForeignOptions, OfPercentilesKeepTheirNumber) {
  EXPECT_EQ(answer_foreign_option("--p99", kRun), "strobe has no --p99; use --percentiles 99");
  EXPECT_EQ(answer_foreign_option("--P99.9", kRun), "strobe has no --P99.9; use --percentiles 99.9");
  EXPECT_EQ(answer_foreign_option("--p95", {"--max-latency", "--percentile"}),
            "strobe has no --p95; use --max-latency TIME --percentile 95");
  EXPECT_EQ(answer_foreign_option("--p95", {"--fail-on"}), "strobe has no --p95; use --fail-on p95=5%");
  EXPECT_FALSE(answer_foreign_option("--p", kRun));
  EXPECT_FALSE(answer_foreign_option("--p99th", kRun));
}

TEST(ForeignOptions, MayBeOursWithOtherDashesOrCapitals) {
  EXPECT_EQ(answer_foreign_option("--warmUp", kRun), "strobe has no --warmUp; use --warmup");
  EXPECT_EQ(answer_foreign_option("--max_time=2s", kRun), "strobe has no --max_time; use --max-time");
}

TEST(ForeignOptions, AreAnsweredWithWhatTheVerbHas) {
  EXPECT_EQ(answer_foreign_option("-b", {"--batches"}),
            "strobe has no -b; use --batches LIST, or nothing: the best is searched");
  EXPECT_EQ(answer_foreign_option("-b", {"--json"}), "strobe has no -b; other verbs have --batch");
}

TEST(ForeignOptions, AreLeftAloneWhereNobodyKnowsThem) {
  EXPECT_FALSE(answer_foreign_option("--bacth", kRun));
  EXPECT_FALSE(answer_foreign_option("--zzz", kRun));
}

TEST(ForeignVerbs, AreAnsweredWithOurs) {
  EXPECT_EQ(answer_foreign_verb("benchmark"), "strobe has no verb 'benchmark'; use strobe run MODEL");
  EXPECT_FALSE(answer_foreign_verb("rnu"));
}

}  // namespace
}  // namespace strobe::cli

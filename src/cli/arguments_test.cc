// SPDX-License-Identifier: Apache-2.0
// What a worker is told must be what its parent was told: the words of one command line, read as another.
#include "cli/arguments.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <strobe/error.h>

#include "study/worker_words.h"

namespace strobe::cli {
namespace {

using Words = std::vector<std::string>;

template <class Arguments>
Arguments typed(Words words) {
  CLI::App app;
  Arguments a;
  a.declare(app);
  std::reverse(words.begin(), words.end());  // CLI11 takes them backwards
  app.parse(words);
  return a;
}

const Words kModelWords{"a.onnx",
                        "--device=cpu",
                        "--pin=0",
                        "--runtime=onnxruntime",
                        "--batch=8",
                        "--threads=1",
                        "--seed=7",
                        "--dtype=fp16",
                        "--layout=channels_last",
                        "--shape=x=1x3",
                        "--input=y=y.npy",
                        "--input-range=ids=0..30000",
                        "--set=a=1",
                        "--no-optimize"};
const Words kMeasureWords{"--effort=quick",
                          "--margin=0.5%",
                          "--warmup=3",
                          "--requests=50",
                          "--min-time=1s",
                          "--max-time=2s",
                          "--percentiles=90,99.9",
                          "--in-flight=2",
                          "--cache=cold",
                          "--io=runtime",
                          "--flops=5",
                          "--graph",
                          "--copies"};

TEST(ModelArguments, AreHandedOnWithEveryOption) {
  Words words = words_of(typed<ModelArguments>(kModelWords).parse()), expected = kModelWords;
  std::sort(words.begin(), words.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(words, expected);
}

TEST(ModelArguments, MeanWhatTheySay) {
  const OpenOptions o = typed<ModelArguments>(kModelWords).parse();
  EXPECT_EQ(o.device, "cpu");
  EXPECT_EQ(o.pin, "0");
  EXPECT_EQ(o.batch, 8);
  EXPECT_EQ(o.threads, 1);
  EXPECT_EQ(o.seed, 7u);
  EXPECT_TRUE(o.no_optimize);
  EXPECT_EQ(o.input.at("y"), "y.npy");
  EXPECT_EQ(o.input_range.at("ids").high, 30000);
  EXPECT_EQ(o.set.at("a"), "1");
}

// What a worker would be told about measuring.
Words handed_on(const Words& words) {
  OpenOptions model;
  model.model = "a.onnx";
  const std::size_t of_the_model = words_of(model).size();
  Words all = words_of(model, typed<MeasureArguments>(words).parse());
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(of_the_model));
  return all;
}

TEST(MeasureArguments, AreHandedOnWithEveryOptionButTheFileOfSamples) {
  Words words = kMeasureWords;
  words.emplace_back("--samples=s.csv");
  const Words once = handed_on(words);
  EXPECT_EQ(once.size(), kMeasureWords.size());
  EXPECT_EQ(handed_on(once), once);
  EXPECT_NE(std::find(once.begin(), once.end(), "--percentiles=90,99.9"), once.end());
}

TEST(MeasureArguments, MeanWhatTheySay) {
  const Options o = typed<MeasureArguments>(kMeasureWords).parse();
  EXPECT_EQ(o.effort, Effort::quick);
  EXPECT_DOUBLE_EQ(*o.margin, 0.005);
  EXPECT_EQ(o.warmup, 3u);
  EXPECT_EQ(o.requests, 50u);
  EXPECT_EQ(o.min_time, 1s);
  EXPECT_EQ(o.max_time, 2s);
  EXPECT_EQ(o.in_flight, 2u);
  EXPECT_TRUE(o.cold_cache && o.host_io && o.graph && o.copies);
  EXPECT_DOUBLE_EQ(*o.flops, 5);
}

TEST(MeasureArguments, TakePercentilesBetweenTheEndsAndThenWaitForThem) {
  MeasureArguments a;
  EXPECT_FALSE(a.parse().percentiles_gate);
  a.percentiles = "90,99.9";
  ASSERT_EQ(a.parse().percentiles.size(), 2u);
  EXPECT_DOUBLE_EQ(a.parse().percentiles[1], 0.999);
  EXPECT_TRUE(a.parse().percentiles_gate);
  for (const char* beyond : {"0", "100", "50,100", "-1", "101"}) {
    a.percentiles = beyond;
    EXPECT_THROW(a.parse(), Error) << beyond;
  }
}

TEST(MeasureArguments, RefuseATimeThatEndsBeforeItBegins) {
  MeasureArguments a;
  a.min_time = "3s";
  a.max_time = "3s";
  EXPECT_NO_THROW(a.parse());
  a.max_time = "2s";
  EXPECT_THROW(a.parse(), Error);
}

}  // namespace
}  // namespace strobe::cli

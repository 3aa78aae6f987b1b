// SPDX-License-Identifier: Apache-2.0
#include "cli/declared.h"

#include <algorithm>

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "base/units.h"
#include "option/forms.h"
#include "study/options/tables.h"
#include "testing/every_option.h"
#include "workload/model_table.h"

namespace strobe::cli {
namespace {

using Words = std::vector<std::string>;

template <class T>
void parse_words(Declared<T>& declared, Words words) {
  CLI::App app;
  declared.declare(app);
  std::reverse(words.begin(), words.end());  // CLI11 takes them backwards
  app.parse(words);
}

template <class T>
T typed(std::span<const Option<T>> table, const Words& words) {
  Declared<T> declared(table);
  parse_words(declared, words);
  return declared.read();
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
                        "--input-sets=8",
                        "--set=a=1",
                        "--no-optimize"};
const Words kMeasureWords{"--effort=quick",
                          "--margin=0.5%",
                          "--warmup=3",
                          "--requests=50",
                          "--min-time=1s",
                          "--max-time=2s",
                          "--percentiles=90,99.9",
                          "--launches=2",
                          "--in-flight=2",
                          "--cache=cold",
                          "--io=runtime",
                          "--flops=5",
                          "--graph",
                          "--copies",
                          "--samples=s.csv"};

TEST(DeclaredModel, MeansWhatItSays) {
  const Model m = typed(model_table(), kModelWords);
  EXPECT_EQ(m.model, "a.onnx");
  EXPECT_EQ(m.device, "cpu");
  EXPECT_EQ(m.pin, "0");
  EXPECT_EQ(m.batch, 8);
  EXPECT_EQ(m.threads, 1);
  EXPECT_EQ(m.seed, 7u);
  EXPECT_TRUE(m.no_optimize);
  EXPECT_EQ(m.shape.at("x"), "1x3");
  EXPECT_EQ(m.input.at("y"), "y.npy");
  EXPECT_EQ(m.input_range.at("ids").high, 30000);
  EXPECT_EQ(m.set.at("a"), "1");
  EXPECT_EQ(m.input_sets, InputSets(8));
}

TEST(DeclaredModel, TakesANumberOfInputSetsOrAsManyAsExceedTheCache) {
  const auto sets = [](const char* text) { return typed(model_table(), {"m", "--input-sets", text}).input_sets; };
  EXPECT_EQ(sets("1"), InputSets(1));
  EXPECT_EQ(sets("4096"), InputSets(4096));
  EXPECT_EQ(sets("cache"), beyond_cache);
  EXPECT_FALSE(typed(model_table(), {"m"}).input_sets);
  for (const char* bad : {"0", "4097", "-1", "2.5", "all", ""}) EXPECT_THROW(sets(bad), Error) << bad;
}

TEST(DeclaredModel, TakesRangesAndShapesWithAndWithoutNames) {
  const Model m = typed(model_table(), {"m", "--input-range", "0..1", "--shape", "batch=8,sequence=64"});
  EXPECT_EQ(m.input_range.at("*").high, 1);
  EXPECT_EQ(m.shape.at("sequence"), "64");
  EXPECT_THROW(typed(model_table(), {"m", "--shape=x=1x0"}), Error);
  EXPECT_THROW(typed(model_table(), {"m", "--shape=x=1", "--shape=x=2"}), Error);
}

TEST(DeclaredMeasuring, MeansWhatItSays) {
  const Options o = typed(measure_table(), kMeasureWords);
  EXPECT_EQ(o.effort, Effort::quick);
  EXPECT_DOUBLE_EQ(*o.margin, 0.005);
  EXPECT_EQ(o.warmup, 3u);
  EXPECT_EQ(o.requests, 50u);
  EXPECT_EQ(o.min_time, 1s);
  EXPECT_EQ(o.max_time, 2s);
  EXPECT_EQ(o.launches, 2u);
  EXPECT_EQ(o.in_flight, 2u);
  EXPECT_TRUE(o.graph && o.copies);
  EXPECT_EQ(o.cache, Cache::cold);
  EXPECT_EQ(o.io, Io::runtime);
  EXPECT_DOUBLE_EQ(*o.flops, 5);
  EXPECT_EQ(o.samples, "s.csv");
}

template <class T>
void expect_forms(std::span<const Option<T>> table) {
  for (const Option<T>& o : table) {
    EXPECT_FALSE(o.name.empty() || o.help.empty());
    EXPECT_EQ(o.value.empty(), o.form.flag) << o.name;
    EXPECT_EQ(o.group.empty(), o.traits.positional) << o.name;
    T t;
    EXPECT_FALSE(o.form.given(t)) << o.name;
    EXPECT_TRUE(testing::set_somehow(o, t)) << o.name;
  }
}

TEST(Declared, TakesAValueForEveryOptionOfEveryTable) {
  expect_forms(model_table());
  expect_forms(measure_table());
  expect_forms(methods_table());
  expect_forms(throughput_table());
  expect_forms(compare_table());
  expect_forms(pipeline_table());
}

TEST(Declared, GivesWordsThatSayTheSameOnceMore) {
  Declared<Model> first(model_table()), again(model_table());
  parse_words(first, kModelWords);
  parse_words(again, first.words());
  EXPECT_EQ(again.words(), first.words());
  EXPECT_GE(first.words().size(), kModelWords.size());
  EXPECT_EQ(Declared<Model>(model_table()).words(), Words());
}

TEST(DeclaredMeasuring, IsTheUsualOneWhereNothingIsTyped) {
  const Options o = typed(measure_table(), {});
  for (const Option<Options>& row : measure_table()) EXPECT_FALSE(row.form.given(o)) << row.name;
}

TEST(DeclaredMeasuring, TakesPercentilesBetweenTheEnds) {
  const auto percentiles = [](const std::string& list) {
    return typed(measure_table(), {"--percentiles", list}).percentiles;
  };
  ASSERT_EQ(percentiles("90,99.9").size(), 2u);
  EXPECT_DOUBLE_EQ(percentiles("90,99.9")[1], 0.999);
  for (const char* beyond : {"0", "100", "50,100", "101"}) EXPECT_THROW(percentiles(beyond), Error) << beyond;
}

// A candidate in quotes says otherwise than all.
TEST(Declared, BeginsWithWhatWasTypedForAll) {
  Declared<Options> all(measure_table()), one(measure_table());
  parse_words(all, {"--graph", "--in-flight=2", "--cache=cold"});
  one.begin_with(all);
  parse_words(one, {"--graph=off", "--in-flight=3"});
  EXPECT_TRUE(all.read().graph);
  EXPECT_FALSE(one.read().graph);
  EXPECT_EQ(one.read().in_flight, 3u);
  EXPECT_EQ(one.read().cache, Cache::cold);
}

TEST(Declared, NamesTheWordsThatAnOptionTakes) {
  VerbApp app;
  Declared<Options> measure(measure_table());
  Declared<Model> model(model_table());
  measure.declare(app);
  model.declare(app);
  EXPECT_EQ(app.choices.at("--effort"), (Words{"glance", "quick", "standard", "sustained"}));
  EXPECT_EQ(app.choices.at("--device"), (Words{"auto", "cpu", "cuda"}));
  EXPECT_EQ(app.choices.at("--dtype"), (Words{"fp16", "bf16"}));
  EXPECT_EQ(app.get_option("--warmup")->get_group(), "How long");
}

}  // namespace
}  // namespace strobe::cli

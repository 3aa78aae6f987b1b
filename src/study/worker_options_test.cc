// SPDX-License-Identifier: Apache-2.0
// What a worker is told must be what its parent was told.
#include "study/worker_options.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "option/forms.h"
#include "study/options/tables.h"
#include "testing/every_option.h"
#include "workload/model_table.h"

namespace strobe {
namespace {

OpenOptions unusual_model() {
  OpenOptions o;
  o.model = "-x.onnx";
  o.device = "cuda:1";
  o.runtime = "onnxruntime";
  o.batch = 8;
  o.shape = {{"ids", "1x128:i64"}, {"sequence", "64"}};
  o.input = {{"x", "a=b.npy"}};
  o.input_range = {{"*", {0, 1e-5}}, {"ids", {0, 30000}}};
  o.threads = 2;
  o.dtype = "fp16";
  o.layout = "channels_last";
  o.no_optimize = true;
  o.set = {{"key", "a=b"}};
  o.pin = "0-3";
  o.seed = 7;
  return o;
}

Options unusual_measuring() {
  Options o;
  o.effort = Effort::sustained;
  o.margin = 0.005;
  o.warmup = 0;
  o.requests = 10;
  o.min_time = 1500us;
  o.max_time = 3s;
  o.percentiles = {0.5, 0.999};
  o.launches = 3;
  o.in_flight = 2;
  o.graph = o.copies = true;
  o.io = Io::runtime;
  o.cache = Cache::cold;
  o.flops = 2.5e9;
  o.samples = "s.csv";
  return o;
}

// What became of every option of a table, one at a time, on its way to a worker.
template <class T>
void expect_handed_on(std::span<const Option<T>> table) {
  for (const Option<T>& o : table) {
    T told, heard;
    ASSERT_TRUE(testing::set_somehow(o, told)) << o.name;
    const nlohmann::json j = options_json(table, told);
    EXPECT_EQ(j.size(), o.traits.handed_on ? 1u : 0u) << o.name << " " << j;
    take_options(table, j, heard);
    EXPECT_EQ(o.form.given(heard), o.traits.handed_on) << o.name;
    EXPECT_EQ(options_json(table, heard), j) << o.name;
  }
}

TEST(WorkerOptions, SayWhateverAnOptionIs) {
  expect_handed_on(model_table());
  expect_handed_on(measure_table());
}

TEST(WorkerOptions, SayEveryOptionOfAModel) {
  const OpenOptions o = unusual_model();
  const RunOptions told = run_options(worker_options(o));
  EXPECT_EQ(worker_options(told.open), worker_options(o));
  EXPECT_EQ(told.open.model, "-x.onnx");
  EXPECT_EQ(told.open.input_range.at("*").high, 1e-5);
  EXPECT_EQ(told.open.shape, o.shape);
  EXPECT_EQ(told.open.set, o.set);
  EXPECT_EQ(told.open.seed, 7u);
  EXPECT_TRUE(told.open.no_optimize);
}

TEST(WorkerOptions, SayHowToMeasureButNotWhereSamplesGoNorHowOftenToLaunch) {
  const RunOptions told = run_options(worker_options(unusual_model(), unusual_measuring()));
  const Options& o = told.measure;
  EXPECT_EQ(worker_options(told.open, o), worker_options(unusual_model(), unusual_measuring()));
  EXPECT_EQ(o.effort, Effort::sustained);
  EXPECT_EQ(o.min_time, 1500us);
  EXPECT_EQ(o.percentiles, (std::vector<double>{0.5, 0.999}));
  EXPECT_EQ(o.cache, Cache::cold);
  EXPECT_EQ(o.warmup, 0u);
  EXPECT_EQ(o.samples, "");
  EXPECT_FALSE(o.launches);
}

TEST(WorkerOptions, LeaveOutWhatIsNotGiven) {
  OpenOptions o;
  o.model = "work:null";
  nlohmann::json given = worker_options(o, {});
  EXPECT_EQ(given.at("path").size(), 9u);
  given.erase("path");
  EXPECT_EQ(given, (nlohmann::json{{"model", {{"model", "work:null"}}}, {"measure", nlohmann::json::object()}}));
}

TEST(WorkerOptions, HandANameOverThatIsNoText) {
  OpenOptions o;
  o.model = "\xff.onnx";
  const std::string sent = worker_options(o).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  EXPECT_EQ(run_options(nlohmann::json::parse(sent)).open.model, o.model);
}

TEST(WorkerOptions, SayWhichLaunchItIsAndWhichStreamToPrefer) {
  OpenOptions o;
  o.model = "sim:tiny";
  o.launch = 7;
  o.prefers_stream = "fast";
  EXPECT_EQ(run_options(worker_options(o, {})).open.launch, 7u);
  EXPECT_EQ(run_options(worker_options(o, {})).open.prefers_stream, "fast");
}

TEST(WorkerOptions, SayByWhichMethodsToReadButNotHowOftenToLaunch) {
  expect_handed_on(methods_table());
  MethodsPlan o;
  o.open = unusual_model();
  o.open.launch = 3;
  o.methods = {"naive", "gated"};
  o.requests = 300;
  o.launches = 7;
  o.max_time = 2s;
  const MethodsPlan told = methods_options(worker_options(o));
  EXPECT_EQ(worker_options(told), worker_options(o));
  EXPECT_EQ(told.open.launch, 3u);
  EXPECT_EQ(told.methods, o.methods);
  EXPECT_EQ(told.requests, 300u);
  EXPECT_EQ(told.max_time, std::chrono::nanoseconds(2s));
  EXPECT_FALSE(told.launches);
}

TEST(WorkerOptions, OfAnotherNameAreRefused) {
  EXPECT_THROW(run_options({{"model", {{"modle", "x"}}}}), Error);
}

}  // namespace
}  // namespace strobe

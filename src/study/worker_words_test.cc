// SPDX-License-Identifier: Apache-2.0
#include "study/worker_words.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

using Words = std::vector<std::string>;

TEST(WorkerWords, SayEveryOptionOfAModel) {
  OpenOptions o;
  o.model = "a.onnx";
  o.device = "cuda:1";
  o.pin = "0-3";
  o.runtime = "onnxruntime";
  o.batch = 8;
  o.threads = 2;
  o.seed = 7;
  o.dtype = "fp16";
  o.layout = "channels_last";
  o.shape = {{"ids", "1x128:i64"}, {"sequence", "64"}};
  o.input = {{"x", "a=b.npy"}};
  o.input_range = {{"*", {0, 1e-5}}, {"ids", {0, 30000}}};
  o.set = {{"key", "a=b"}};
  o.no_optimize = true;
  EXPECT_EQ(words_of(o),
            (Words{"a.onnx", "--device=cuda:1", "--pin=0-3", "--runtime=onnxruntime", "--batch=8", "--threads=2",
                   "--seed=7", "--dtype=fp16", "--layout=channels_last", "--shape=ids=1x128:i64", "--shape=sequence=64",
                   "--input=x=a=b.npy", "--input-range=*=0..1e-05", "--input-range=ids=0..30000", "--set=key=a=b",
                   "--no-optimize"}));
}

TEST(WorkerWords, SayHowToMeasure) {
  Options o;
  o.effort = Effort::sustained;
  o.margin = 0.005;
  o.warmup = 0;
  o.requests = 10;
  o.min_time = 1500us;
  o.max_time = 3s;
  o.percentiles = {0.5, 0.999};
  o.percentiles_gate = true;
  o.in_flight = 2;
  o.cold_cache = o.host_io = o.graph = o.copies = true;
  o.flops = 2.5e9;
  OpenOptions model;
  model.model = "work:null";
  EXPECT_EQ(words_of(model, o), (Words{"work:null", "--device=auto", "--pin=auto", "--seed=1", "--effort=sustained",
                                       "--margin=0.005", "--warmup=0", "--requests=10", "--min-time=1500000ns",
                                       "--max-time=3000000000ns", "--percentiles=50,99.9", "--in-flight=2",
                                       "--cache=cold", "--io=runtime", "--flops=2500000000", "--graph", "--copies"}));
}

TEST(WorkerWords, DoNotTakeAModelForAnOption) {
  OpenOptions o;
  o.model = "-x.onnx";
  EXPECT_EQ(words_of(o).front(), "./-x.onnx");
}

}  // namespace
}  // namespace strobe

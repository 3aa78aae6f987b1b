// SPDX-License-Identifier: Apache-2.0
#include "report/gbench.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;
using Json = nlohmann::json;

Json document(const Record& r) {
  return Json::parse(gbench_of({&r, 1}));
}

Json named(const Json& d, const std::string& name) {
  for (const Json& b : d["benchmarks"]) {
    if (b["name"] == name) return b;
  }
  return {};
}

TEST(Gbench, HasAnIterationAndAggregatesForEachTime) {
  const Json d = document(sample_run());
  const Json whole = named(d, "resnet18.onnx/latency"), median = named(d, "resnet18.onnx/latency_median");
  EXPECT_EQ(whole["run_type"], "iteration");
  EXPECT_EQ(whole["iterations"], 100);
  EXPECT_DOUBLE_EQ(whole["real_time"], 1.01 * 1.87e6);
  EXPECT_EQ(median["run_type"], "aggregate");
  EXPECT_EQ(median["aggregate_name"], "median");
  EXPECT_EQ(median["run_name"], "resnet18.onnx/latency");
  EXPECT_EQ(median["real_time"], 1.87e6);
  EXPECT_EQ(median["time_unit"], "ns");
  EXPECT_FALSE(named(d, "resnet18.onnx/latency_stddev").is_null());
}

TEST(Gbench, HasTheRatioTheOutcomeAndTheConditionsOfAComparison) {
  Record r = sample_compare();
  r.fail_on = {{"slower=2%", "b.onnx", "latency", "passed", "why"}};
  const Json d = document(r);
  const Json row = named(d, "a.onnx/b.onnx/latency");
  EXPECT_EQ(row["ratio"], 0.75) << d;
  EXPECT_EQ(row["ratio_low"], 0.74);
  EXPECT_EQ(row["label"], "faster against a.onnx");
  EXPECT_EQ(d["context"]["strobe_comparisons"].size(), 2u);
  EXPECT_EQ(d["context"]["strobe_fail_on"][0]["outcome"], "passed");
  EXPECT_EQ(d["context"]["strobe_verdict"], "caution");
}

TEST(Gbench, HasTheErrorOfEachMethodAndItsReference) {
  const Json d = document(sample_cold_methods());
  const Json naive = named(d, "resnet18.onnx/naive/reading");
  EXPECT_EQ(naive.value("off", 0.0), -0.89) << d;
  EXPECT_EQ(naive["label"], "-89 % from latency");
  EXPECT_EQ(named(d, "resnet18.onnx/host, stream, no warm-up/reading")["label"], "mean +35 % from latency");
  EXPECT_FALSE(named(d, "resnet18.onnx/latency").contains("off")) << "a reference";
}

TEST(Gbench, LeavesOutWhatIsNoTimeOrUnknown) {
  const Json d = document(sample_run());
  EXPECT_TRUE(named(d, "resnet18.onnx/throughput").is_null());
  EXPECT_TRUE(named(d, "resnet18.onnx/replay_time").is_null());
}

TEST(Gbench, TellsTheHostAndTheFailedCases) {
  const Json d = document(sample_throughput());
  EXPECT_EQ(d["context"]["host_name"], "bench-1");
  EXPECT_EQ(d["context"]["num_cpus"], 2);
  const Json failed = named(d, "resnet18.onnx/batch 64");
  EXPECT_EQ(failed["error_occurred"], true);
  EXPECT_EQ(failed["error_message"], "no memory");
}

TEST(Gbench, DescribesTheHostAsItsToolsExpect) {
  Record r = sample_run();
  r.host["mhz"] = 2400.5;
  r.host["load"] = 0.25;
  r.host["governor"] = std::string("powersave");
  const Json context = document(r)["context"];
  EXPECT_EQ(context["mhz_per_cpu"], 2400);
  EXPECT_EQ(context["num_cpus"], 2);
  EXPECT_EQ(context["cpu_scaling_enabled"], true);
  EXPECT_EQ(context["load_avg"], Json::array({0.25}));
  r.host["governor"] = std::string("performance");
  EXPECT_EQ(document(r)["context"]["cpu_scaling_enabled"], false);
}

}  // namespace
}  // namespace strobe

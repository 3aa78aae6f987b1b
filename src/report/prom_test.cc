// SPDX-License-Identifier: Apache-2.0
#include "report/prom.h"

#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

TEST(Prom, GivesTimesInSecondsWithTheirIntervals) {
  const Record r = sample_run();
  const std::string text = prom_of({&r, 1});
  const std::string labels = R"({model="resnet18.onnx",verb="run",device="NVIDIA H200",quantile="0.5"})";
  EXPECT_TRUE(has(text, "# TYPE strobe_latency_seconds gauge\n"));
  EXPECT_TRUE(has(text, "strobe_latency_seconds" + labels + " 0.00187")) << text;
  EXPECT_TRUE(has(text, "strobe_latency_seconds_low" + labels));
  EXPECT_TRUE(has(text, "strobe_latency_seconds_high" + labels));
  EXPECT_TRUE(has(text, R"(quantile="0.9")"));
  EXPECT_FALSE(has(text, R"(quantile="0.999")")) << "it was refused";
  EXPECT_TRUE(has(text, R"(verdict="caution"} 1)"));
  EXPECT_TRUE(has(text, R"(verdict="trusted"} 0)"));
  EXPECT_TRUE(has(text, "strobe_throughput_items_per_second"));
}

TEST(Prom, HasTheRatioTheOutcomeAndTheConditionsOfAComparison) {
  Record r = sample_compare();
  r.fail_on = {{"slower=2%", "b.onnx", "latency", "passed", "why"}};
  const std::string text = prom_of({&r, 1});
  EXPECT_TRUE(has(text, R"(case="b.onnx",against="a.onnx",metric="latency",quantile="0.5"} 0.75)")) << text;
  EXPECT_TRUE(has(text, "strobe_ratio_low{"));
  EXPECT_TRUE(has(text, R"(metric="latency",quantile="0.5",outcome="faster"} 1)")) << text;
  EXPECT_TRUE(has(text, R"(case="b.onnx",condition="slower=2%",outcome="passed"} 1)")) << text;
}

TEST(Prom, HasTheErrorOfEachMethodAndItsReference) {
  const Record r = sample_cold_methods();
  const std::string text = prom_of({&r, 1});
  EXPECT_TRUE(has(text, R"(,case="naive",from="latency",of="median"} -0.89)")) << text;
  EXPECT_TRUE(has(text, R"(,case="host, stream, no warm-up",from="latency",of="mean"} 0.35)")) << text;
  EXPECT_FALSE(has(text, R"(case="device, no wait, read at once")")) << "it gave no reading";
}

// The rules of the text format: one HELP and TYPE a name, its lines together, no two equal series, labels escaped.
TEST(Prom, KeepsTheRulesOfTheFormat) {
  std::vector<Record> records{sample_run(), sample_throughput(), sample_run(), sample_compare(), sample_cold_methods()};
  records[0].model.name = "a\\b\"c\nd";
  records[0].metrics["odd-name"] = sample_metric(5);
  const std::string text = prom_of(records);
  const std::regex line(R"re([a-zA-Z_:][a-zA-Z0-9_:]*\{([a-z_]+="([^"\\]|\\\\|\\"|\\n)*",?)*\} [-+.0-9e]+)re");
  std::set<std::string> names, series;
  std::string current, one;
  std::istringstream in(text);
  while (std::getline(in, one)) {
    if (one.starts_with("# HELP ")) {
      current = one.substr(7, one.find(' ', 7) - 7);
      EXPECT_TRUE(names.insert(current).second) << current << " twice";
    } else if (!one.starts_with("# TYPE ")) {
      EXPECT_TRUE(std::regex_match(one, line)) << one;
      EXPECT_EQ(one.substr(0, one.find('{')), current);
      EXPECT_TRUE(series.insert(one.substr(0, one.rfind(' '))).second) << one;
    }
  }
  EXPECT_TRUE(has(text, R"(model="a\\b\"c\nd")"));
  EXPECT_TRUE(has(text, "strobe_odd_name_seconds"));
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "report/search_answer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/delimited.h"
#include "report/gbench.h"
#include "report/prom.h"
#include "report/text/text.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using testing::sample_metric;
using testing::sample_throughput;

bool says(const std::string& text, const std::string& phrase) {
  return text.find(phrase) != std::string::npos;
}

Record found() {
  Record r = sample_throughput();
  r.metrics["throughput"] = sample_metric(800, "items/s");
  r.metrics["latency_loaded"] = sample_metric(80e6);
  return r;
}

Record bounded(const char* outcome) {
  Record r = found();
  r.settings["max_latency_ns"] = 10e6;
  r.settings["percentile"] = 0.99;
  r.answer = {.bound = outcome};
  if (std::string_view(outcome) == "met") {
    r.answer.bound_point = "batch 4";
    r.answer.bound_batch = 4;
  }
  return r;
}

TEST(SearchSentence, HasTheBestBatchItsRateAndTheLargest) {
  Record r = found();
  EXPECT_EQ(search_sentence(r), "Best batch 16: 800 /s [792, 808]; the largest that fits is 16.");
  r.answer.fastest = "batch 16, 2 streams";
  EXPECT_EQ(search_sentence(r), "Best: batch 16, 2 streams, 800 /s [792, 808]; the largest that fits is 16.");
  r.answer = {.fixed_batch = "the model has a fixed batch of 6"};
  EXPECT_EQ(search_sentence(r), "800 /s [792, 808]; there is no batch to choose: the model has a fixed batch of 6.");
  EXPECT_EQ(search_sentence(testing::sample_run()), "");
}

TEST(SearchSentence, HasTheOutcomeOfABound) {
  EXPECT_EQ(search_sentence(bounded("met")), "Under load p99 stays within 10.0 ms at 800 /s [792, 808], with batch 4.");
  EXPECT_EQ(search_sentence(bounded("not-met")),
            "Under load p99 does not stay within 10.0 ms at any point that was tried.");
  EXPECT_EQ(search_sentence(bounded("cannot-tell")),
            "Cannot tell whether p99 under load stays within 10.0 ms with these samples.");
  Record old = bounded("not-met");
  old.settings.erase("percentile");  // the default of --percentile
  EXPECT_EQ(search_sentence(old), search_sentence(bounded("not-met")));
}

TEST(SearchSentence, IsTheFirstLineOfTheTextAndInMarkdown) {
  const Record r = found();
  EXPECT_TRUE(text(r).starts_with(search_sentence(r) + "\n")) << text(r);
  EXPECT_TRUE(says(render_markdown(r, {}), "Best batch 16: 800 /s"));
}

TEST(SearchAnswer, IsInCsv) {
  const Record r = found(), met = bounded("met"), open = bounded("cannot-tell");
  EXPECT_TRUE(says(csv_of({&r, 1}), "resnet18.onnx,,best_batch,items,,,16,,")) << csv_of({&r, 1});
  EXPECT_TRUE(says(csv_of({&met, 1}), "resnet18.onnx,,bound_met,,,,1,,")) << csv_of({&met, 1});
  EXPECT_TRUE(says(csv_of({&open, 1}), ",cannot-tell\n")) << csv_of({&open, 1});
}

TEST(SearchAnswer, IsInPrometheus) {
  const Record r = found(), missed = bounded("not-met");
  EXPECT_TRUE(says(prom_of({&r, 1}), "strobe_best_batch{")) << prom_of({&r, 1});
  EXPECT_FALSE(says(prom_of({&r, 1}), "strobe_bound"));
  EXPECT_TRUE(says(prom_of({&missed, 1}), R"(outcome="not-met"} 1)"));
  EXPECT_TRUE(says(prom_of({&missed, 1}), R"(outcome="met"} 0)"));
}

TEST(SearchAnswer, IsInGoogleBenchmarksJson) {
  const auto row = [](const Record& r, const std::string& name) {
    const auto document = nlohmann::json::parse(gbench_of({&r, 1}));
    for (const auto& b : document["benchmarks"]) {
      if (b["name"] == name) return b;
    }
    return nlohmann::json();
  };
  const auto best = row(found(), "resnet18.onnx/latency_loaded");
  EXPECT_EQ(best["best_batch"], 16);
  EXPECT_EQ(best["items_per_second"], 800);
  EXPECT_EQ(row(bounded("met"), "resnet18.onnx/latency_loaded")["bound_batch"], 4);
  const auto missed = row(bounded("not-met"), "resnet18.onnx/bound");
  EXPECT_EQ(missed["error_occurred"], true);
  EXPECT_TRUE(says(missed["error_message"], "does not stay within 10.0 ms"));
}

}  // namespace
}  // namespace strobe

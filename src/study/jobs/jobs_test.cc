// SPDX-License-Identifier: Apache-2.0
#include "study/jobs/jobs.h"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/build_info.h"
#include "study/pipeline/pipeline_options.h"
#include "study/worker.h"
#include "testing/contains.h"

namespace strobe {
namespace {

using Json = nlohmann::json;

Json answer_to(Json asked, const std::string& questions = {}) {
  std::istringstream in(questions);
  std::ostringstream out;
  serve_job(asked, in, out);
  return Json::parse(out.str().substr(0, out.str().find('\n')));
}

Json options_of(const char* model) {
  return {{"model", {{"model", model}}}, {"measure", {{"requests", 30}, {"warmup", 0}}}};
}

TEST(Jobs, AnswerWithARecord) {
  const Json answer =
      answer_to({{"job", "run"}, {"options", options_of("sim:launch=1us,kernels=1x5us")}, {"build", kBuildId}});
  ASSERT_TRUE(answer.at("record").is_object()) << answer;
  const Record r = record_in(answer);
  EXPECT_EQ(r.verb, "run");
  EXPECT_EQ(r.find("latency")->n, 30u);
}

TEST(Jobs, ReadByMethods) {
  Json options{{"model", {{"model", "sim:launch-bound"}}}, {"methods", {{"methods", {"naive", "gated"}}}}};
  const Record r = record_in(answer_to({{"job", "methods"}, {"options", options}, {"build", kBuildId}}));
  EXPECT_EQ(r.verb, "methods");
  EXPECT_EQ(r.cases.size(), 2u);
  EXPECT_TRUE(r.find("device_time"));
}

TEST(Jobs, TimeAPipelineOnce) {
  PipelineStudy study;
  study.plan.device = "sim:launch=1us,sync=1us";
  SimulatedTask task;
  task.work = parse_sim("kernels=2x500us");
  study.plan.stages.push_back({.name = "large", .task = task});
  study.how.rounds = 2;
  study.how.iterations = 8;
  const Json answer = answer_to({{"job", "pipeline"}, {"options", worker_options(study)}, {"build", kBuildId}});
  ASSERT_TRUE(answer.at("record").is_object()) << answer;
  const Record r = record_in(answer);
  EXPECT_EQ(r.verb, "pipeline");
  EXPECT_EQ(r.rounds, 2u);
  EXPECT_EQ(r.find("latency")->estimate.value, 1'002'000);
  EXPECT_TRUE(r.launches.empty());
}

TEST(Jobs, AnswerQuestionsUntilTheyEnd) {
  const Json answer =
      answer_to({{"job", "turns"}, {"options", options_of("sim:tiny")}, {"build", kBuildId}}, "{\"ask\": \"weigh\"}\n");
  EXPECT_TRUE(answer.contains("bytes")) << answer;
}

TEST(Jobs, AnswerWithWhatWentWrong) {
  const auto error = [](Json asked) { return answer_to(std::move(asked)).at("error").dump(); };
  EXPECT_TRUE(
      testing::has(error({{"job", "run"}, {"options", options_of("no.onnx")}, {"build", kBuildId}}), "not-found"));
  EXPECT_TRUE(testing::has(error({{"job", "dance"}, {"options", Json::object()}, {"build", kBuildId}}), "dance"));
  EXPECT_TRUE(testing::has(error({{"job", "run"}, {"options", Json::object()}, {"build", kBuildId}}), "model"));
}

TEST(Jobs, OfAnotherBuildAreRefusedWhateverElseTheySay) {
  const std::string error = answer_to({{"job", "record"}, {"words", {"run"}}, {"build", "older"}}).at("error").dump();
  EXPECT_TRUE(testing::has(error, "STROBE_PROGRAM")) << error;
  EXPECT_TRUE(testing::has(error, "older")) << error;
}

TEST(Jobs, AreNotForPeople) {
  std::istringstream in;
  std::ostringstream out;
  EXPECT_THROW(serve_job(Json(), in, out), Error);
  EXPECT_THROW(serve_job(Json{{"model", "a"}}, in, out), Error);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// What a worker is told of a pipeline must be what its parent was told.
#include "study/pipeline/pipeline_options.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "option/forms.h"
#include "study/options/tables.h"
#include "testing/every_option.h"

namespace strobe {
namespace {

TEST(PipelineWorkerOptions, SayWhichPipelineAndHowToTimeIt) {
  PipelineStudy told;
  told.file = "folder\xff/pipe.yaml";
  told.sha256 = "abc";
  told.plan.name = "pipe";
  told.plan.device = "sim:launch=4us";
  told.plan.launch = 2;
  told.plan.stages.push_back({.name = "wait", .task = SpinTask{800us}});
  told.how.rounds = 4;
  told.how.iterations = 16;
  told.how.max_time = 1500ms;
  const PipelineStudy heard = pipeline_options(worker_options(told));
  EXPECT_EQ(worker_options(heard), worker_options(told));
  EXPECT_EQ(heard.file, told.file);
  EXPECT_EQ(heard.sha256, "abc");
  EXPECT_EQ(heard.plan.launch, 2u);
  EXPECT_EQ(std::get<SpinTask>(heard.plan.stages.at(0).task).length, 800us);
  EXPECT_EQ(heard.how.rounds, 4u);
  EXPECT_EQ(heard.how.iterations, 16u);
  EXPECT_EQ(heard.how.max_time, 1500ms);
}

TEST(PipelineWorkerOptions, SayEveryOptionButHowOftenToLaunch) {
  for (const Option<PipelineOptions>& o : pipeline_table()) {
    PipelineStudy told;
    ASSERT_TRUE(testing::set_somehow(o, told.how)) << o.name;
    EXPECT_EQ(o.form.given(pipeline_options(worker_options(told)).how), o.name != "launches") << o.name;
  }
}

TEST(PipelineWorkerOptions, OfAnotherNameAreRefused) {
  nlohmann::json j = worker_options(PipelineStudy{});
  j["pipeline"]["roundz"] = 3;
  EXPECT_THROW(pipeline_options(j), Error);
}

}  // namespace
}  // namespace strobe

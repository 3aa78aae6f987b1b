// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/schedule.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Replay, OnTheHostIsASum) {
  const std::vector<ScheduledStage> stages{{.host = true, .submit = 60us}, {.host = true, .submit = 40us}};
  EXPECT_EQ(replay(stages, {}), 100us);
  EXPECT_NEAR(gain_of_tenth(stages, 0, {}), 0.06, 1e-12);
}

TEST(Replay, HidesTheHostBehindTheDevice) {
  const std::vector<ScheduledStage> stages{
      {.submit = 10us, .work = 500us}, {.host = true, .submit = 200us}, {.submit = 10us, .work = 100us}};
  EXPECT_EQ(replay(stages, {.wait = 5us}), 605us);
  EXPECT_NEAR(gain_of_tenth(stages, 0, {.wait = 5us}), 50.0 / 605, 1e-12);
  EXPECT_EQ(gain_of_tenth(stages, 1, {.wait = 5us}), 0);
  EXPECT_NEAR(gain_of_tenth(stages, 2, {.wait = 5us}), 10.0 / 605, 1e-12);
}

TEST(Replay, AStageIsNotDoneBeforeAllOfItIsHandedOver) {
  EXPECT_EQ(replay(std::vector<ScheduledStage>{{.submit = 100us, .work = 20us}}, {}), 100us);
}

TEST(Replay, FollowsStreamsAndWhatTheyWaitFor) {
  std::vector<ScheduledStage> stages{{.lane = 0, .submit = 1us, .work = 100us},
                                     {.lane = 1, .submit = 1us, .work = 50us}};
  EXPECT_EQ(replay(stages, {}), 100us);
  stages[0].awaited = true;
  stages[1].after = {0};
  EXPECT_EQ(replay(stages, {.mark = 1us}), 150us);
}

TEST(Replay, AHostStageWaitsForTheDevice) {
  const std::vector<ScheduledStage> stages{{.submit = 1us, .work = 100us, .awaited = true},
                                           {.host = true, .submit = 30us, .after = {0}}};
  EXPECT_EQ(replay(stages, {.mark = 1us, .wait = 5us}), 100us + 5us + 30us + 5us);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/options/pauses.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "testing/contains.h"

namespace strobe {
namespace {

std::vector<IdlePause> typed(const char* text) {
  std::vector<IdlePause> v;
  kinds::Pauses::read({text}, "--idle", v);
  return v;
}

std::string refusal(const char* text) {
  try {
    typed(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage) << text;
    return e.what();
  }
  return "taken";
}

TEST(Pauses, AreTimesOrMeansOfRandomOnes) {
  EXPECT_EQ(typed("10ms,poisson:1s"), (std::vector<IdlePause>{{10ms, false}, {1s, true}}));
  EXPECT_EQ(typed("250us"), (std::vector<IdlePause>{{250us, false}}));
}

TEST(Pauses, AreTheSameForAWorker) {
  const std::vector<IdlePause> v = typed("10ms,poisson:1s,1h");
  nlohmann::json j;
  kinds::Pauses::write(v, j);
  std::vector<IdlePause> heard;
  kinds::Pauses::take(j, heard);
  EXPECT_EQ(heard, v);
}

TEST(Pauses, AreOneTextAmongTheSettings) {
  Scalars s;
  kinds::Pauses::describe(typed("10ms,poisson:1.5s"), "idle", s);
  EXPECT_EQ(std::get<std::string>(s.at("idle")), "10 ms, poisson 1.5 s");
}

TEST(Pauses, ThatCannotBeMeantAreRefused) {
  EXPECT_TRUE(testing::has(refusal("0"), "a pause of 0"));
  EXPECT_TRUE(testing::has(refusal("10ms,10ms"), "has 10 ms twice"));
  EXPECT_TRUE(testing::has(refusal("poison:10ms"), "poisson:10ms"));
  EXPECT_TRUE(testing::has(refusal("2h"), "at most 1h"));
  for (const char* bad : {"", "10", "10ms,", "poisson:", "poisson:0", "-1ms"}) EXPECT_NE(refusal(bad), "taken") << bad;
  EXPECT_EQ(refusal("10ms,poisson:10ms"), "taken");
}

}  // namespace
}  // namespace strobe

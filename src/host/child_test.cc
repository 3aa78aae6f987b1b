// SPDX-License-Identifier: Apache-2.0
#include "host/child.h"

#include <csignal>

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

TEST(Child, AnswersLineByLine) {
  Child cat({"cat"});
  std::string line;
  ASSERT_TRUE(cat.send("one\ntwo\n"));
  EXPECT_EQ(cat.hear(line, 5s), Child::Heard::line);
  EXPECT_EQ(line, "one");
  EXPECT_EQ(cat.hear(line, 5s), Child::Heard::line);
  EXPECT_EQ(line, "two");
  EXPECT_EQ(cat.end().exit_code, 0);
  EXPECT_FALSE(cat.send("three\n"));
}

TEST(Child, SaysHowItEnded) {
  Child child({"sh", "-c", "echo no >&2; kill -9 $$"});
  std::string line;
  EXPECT_EQ(child.hear(line, 5s), Child::Heard::ended);
  EXPECT_EQ(child.end().signal, SIGKILL);
  EXPECT_EQ(child.end().err, "no\n");
}

TEST(Child, IsNotWaitedForBeyondPatience) {
  Child child({"sleep", "60"});
  std::string line;
  EXPECT_EQ(child.hear(line, 1ms), Child::Heard::late);
  EXPECT_EQ(child.hear(line, 60s, [] { return true; }), Child::Heard::stopped);
  EXPECT_EQ(child.end(1ms).signal, SIGKILL);
}

TEST(Child, DoesNothingWhilePaused) {
  Child child({"sh", "-c", "echo first; read x; echo second"});
  std::string line;
  ASSERT_EQ(child.hear(line, 5s), Child::Heard::line);
  child.pause();
  child.pause();
  child.send("x\n");
  EXPECT_EQ(child.hear(line, 100ms), Child::Heard::late);
  child.resume();
  EXPECT_EQ(child.hear(line, 5s), Child::Heard::line);
  EXPECT_EQ(line, "second");
}

TEST(Child, ThatIsPausedEndsLikeAnyOther) {
  Child cat({"cat"});
  cat.pause();
  EXPECT_EQ(cat.end(5s).exit_code, 0);
  Child gone({"true"});
  std::string line;
  EXPECT_EQ(gone.hear(line, 5s), Child::Heard::ended);
  gone.pause();
  EXPECT_EQ(gone.end().exit_code, 0);
}

TEST(Child, ThatFloodsItsErrorsIsHeardAll) {
  Child child({"sh", "-c", "yes | head -c 1000000 >&2; echo done"});
  std::string line;
  EXPECT_EQ(child.hear(line, 30s), Child::Heard::line);
  EXPECT_EQ(line, "done");
}

TEST(Child, ThatCannotBeStartedIsAnError) {
  EXPECT_THROW(Child({"/no/such/program"}), Error);
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "host/interrupt.h"

#include <chrono>
#include <csignal>
#include <unistd.h>

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(Interrupt, TheFirstSignalOnlyAsks) {
  Interrupt catching;
  EXPECT_FALSE(Interrupt::requested());
  std::raise(SIGINT);
  EXPECT_TRUE(Interrupt::requested());
}

TEST(Interrupt, TheSecondSignalEndsTheProgram) {
  EXPECT_EXIT(
      {
        Interrupt catching;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

TEST(Interrupt, OnlyTheSecondSignalIsUrgent) {
  Interrupt catching([] {});
  std::raise(SIGTERM);
  EXPECT_FALSE(Interrupt::urgent());
  std::raise(SIGINT);
  EXPECT_TRUE(Interrupt::urgent());
}

// The thread that got the signals hangs; another one ends the process.
TEST(Interrupt, GivesUpAfterTheSecondSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Interrupt catching([] { ::_exit(7); }, std::chrono::hours(1));
        std::raise(SIGINT);
        std::raise(SIGTERM);
        for (;;) ::pause();
      },
      testing::ExitedWithCode(7), "");
}

TEST(Interrupt, GivesUpSomeTimeAfterTheFirstSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Interrupt catching([] { ::_exit(7); }, std::chrono::milliseconds(50));
        std::raise(SIGTERM);
        for (;;) ::pause();
      },
      testing::ExitedWithCode(7), "");
}

TEST(Interrupt, AThirdSignalWaitsForNobody) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Interrupt catching([] { ::_exit(7); }, std::chrono::hours(1));
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

TEST(Interrupt, DoesNotGiveUpWhatHasEnded) {
  bool called = false;
  {
    Interrupt catching([&] { called = true; }, std::chrono::hours(1));
    std::raise(SIGINT);
  }
  EXPECT_FALSE(called);
}

TEST(Interrupt, IsForgottenWhenNobodyCatches) {
  {
    Interrupt catching;
    std::raise(SIGTERM);
  }
  EXPECT_FALSE(Interrupt::requested());
}

}  // namespace
}  // namespace strobe

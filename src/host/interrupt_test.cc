#include "host/interrupt.h"

#include <csignal>

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

TEST(Interrupt, IsForgottenWhenNobodyCatches) {
  {
    Interrupt catching;
    std::raise(SIGTERM);
  }
  EXPECT_FALSE(Interrupt::requested());
}

}  // namespace
}  // namespace strobe

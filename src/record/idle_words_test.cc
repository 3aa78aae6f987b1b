// SPDX-License-Identifier: Apache-2.0
#include "record/idle_words.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(IdleWords, ShowAPauseAsItWasTyped) {
  EXPECT_EQ(pause_text(10e6), "10 ms");
  EXPECT_EQ(pause_text(1.5e9), "1.5 s");
  EXPECT_EQ(pause_text(250e3), "250 µs");
  EXPECT_EQ(pause_text(999e6), "999 ms");
}

TEST(IdleWords, SayWhetherThePausesWereRandom) {
  EXPECT_EQ(idle_label(1e9, false), "after 1 s idle");
  EXPECT_EQ(idle_label(1e9, true), "after 1 s idle (Poisson)");
}

}  // namespace
}  // namespace strobe

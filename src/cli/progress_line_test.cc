// SPDX-License-Identifier: Apache-2.0
#include "cli/progress_line.h"

#include <gtest/gtest.h>

#include "base/units.h"

namespace strobe::cli {
namespace {

Progress waiting(const char* phase, const char* hint) {
  Progress p;
  p.phase = phase;
  p.hint = hint;
  p.waiting = true;
  return p;
}

TEST(ProgressText, SaysWhatIsWaitedForAndForHowLong) {
  EXPECT_EQ(progress_text(waiting("loading", ""), 0ns), "loading");
  EXPECT_EQ(progress_text(waiting("loading", ""), 12s), "loading: 12 s so far");
  EXPECT_EQ(progress_text(waiting("first request", "the runtime may be compiling"), 41s),
            "first request: 41 s so far; the runtime may be compiling");
}

TEST(ProgressText, CountsWhereTheNumberIsKnown) {
  Progress p;
  p.phase = "measuring";
  p.done = 120;
  p.of = 300;
  p.what = "requests";
  p.elapsed = 1500ms;
  EXPECT_EQ(progress_text(p, 0ns), "measuring 120/300 requests · 1.5 s");
}

TEST(ProgressText, GoesOnCountingWhileNothingIsHeard) {
  Progress p;
  p.phase = "measuring";
  p.elapsed = 2s;
  p.at_most = 10s;
  EXPECT_EQ(progress_text(p, 0ns), "measuring 2.0 s · at most 8 s left");
  EXPECT_EQ(progress_text(p, 3s), "measuring 5.0 s · at most 5 s left");
  EXPECT_EQ(progress_text(p, 9s), "measuring 11.0 s");
}

TEST(ProgressText, SaysWhatASignalWaitsFor) {
  Progress p;
  p.phase = "measuring";
  p.elapsed = 2s;
  EXPECT_EQ(progress_text(p, 1s, true),
            "measuring 3.0 s · interrupted: waiting for it to end; Ctrl-C again does not wait");
}

}  // namespace
}  // namespace strobe::cli

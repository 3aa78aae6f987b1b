// SPDX-License-Identifier: Apache-2.0
#include "report/text/idle_text.h"

#include <gtest/gtest.h>

#include "report/text/text.h"
#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using namespace strobe::testing;

TEST(IdleText, HasALineForEachPauseAndSaysHowManyRequestsThereWere) {
  EXPECT_EQ(idle_table(sample_idle_run(), false, Painter(false)),
            "after 1 ms idle           1.88 ms  [1.86, 1.90]  +0.5 %  100 requests\n"
            "after 10 ms idle          2.58 ms  [2.55, 2.61]   +38 %  100 requests  p90 2.70 ms  P8 → P0, 345 → 1980 "
            "MHz\n"
            "after 1 s idle (Poisson)  3.74 ms  [3.70, 3.78]  +100 %  100 requests\n"
            "after 10 s idle  unknown: the time was up before\n");
}

TEST(IdleText, SaysOnceWhatDidNotChange) {
  Record r = sample_idle_run();
  r.idle[1].before = r.idle[1].after = {1980, 0, 2600};
  EXPECT_TRUE(has(idle_table(r, false, Painter(false)), "p90 2.70 ms  P0, 1980 MHz, CPU 2600 MHz\n"));
  r.idle[1].before = {};
  EXPECT_FALSE(has(idle_table(r, false, Painter(false)), "MHz")) << "one reading tells of no change";
}

TEST(IdleText, StandsBelowTheMetricsAndIsExplainedOnRequest) {
  const std::string plain = text(sample_idle_run()), explained = render_text(sample_idle_run(), {.explain = true});
  EXPECT_LT(plain.find("throughput"), plain.find("after 10 ms idle"));
  EXPECT_LT(plain.find("after 10 ms idle"), plain.find("verdict"));
  EXPECT_FALSE(has(plain, "in which the host sleeps"));
  EXPECT_TRUE(has(explained, "in which the host sleeps"));
  EXPECT_FALSE(has(text(sample_run()), "ms idle"));
}

}  // namespace
}  // namespace strobe

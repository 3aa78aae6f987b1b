// SPDX-License-Identifier: Apache-2.0
#include "report/text/timeline_text.h"

#include <gtest/gtest.h>

namespace strobe {
namespace {

TEST(TimelineText, DrawsOneLineALaneAndOneLetterAStage) {
  const std::vector<TimelineSpan> spans{{"host", "large", 0, 20e3},
                                        {"host", "cpu", 20e3, 60e3},
                                        {"host", "low", 60e3, 61e3},
                                        {"main", "large", 10e3, 80e3},
                                        {"main", "low", 80e3, 100e3}};
  EXPECT_EQ(timeline_text(spans, 100e3, 20),
            "  host  llllcccccccco.......\n"
            "  main  ..lllllllllllllloooo\n"
            "        0             100 µs\n"
            "        l large, c cpu, o low; . idle\n");
}

TEST(TimelineText, IsNothingWithoutSpans) {
  EXPECT_EQ(timeline_text({}, 100, 20), "");
}

TEST(TimelineText, GivesALetterToTheStageThatFillsMostOfIt) {
  const std::vector<TimelineSpan> spans{{"host", "large", 0, 6}, {"host", "tiny", 6, 10}};
  EXPECT_EQ(timeline_text(spans, 20, 2).substr(0, 11), "  host  l.\n");
}

}  // namespace
}  // namespace strobe

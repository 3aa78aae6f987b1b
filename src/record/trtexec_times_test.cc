// SPDX-License-Identifier: Apache-2.0
#include "record/trtexec_times.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "record/metric_info.h"

namespace strobe {
namespace {

const ForeignPart* part_named(const ForeignTimes& t, std::string_view metric) {
  for (const ForeignPart& p : t.parts) {
    if (p.metric == metric) return &p;
  }
  return nullptr;
}

// As version 8.4 and later write a request.
constexpr const char* kTwoRequests = R"([
  { "startEnqMs" : 200.125, "endEnqMs" : 200.25, "startH2dMs" : 200.12, "endH2dMs" : 200.22,
    "startComputeMs" : 200.23, "endComputeMs" : 201.23, "startD2hMs" : 201.24, "endD2hMs" : 201.29,
    "h2dMs" : 0.1, "computeMs" : 1, "d2hMs" : 0.05, "latencyMs" : 1.15 },
  { "startEnqMs" : 1201.37, "endEnqMs" : 1201.49, "startH2dMs" : 1201.33, "endH2dMs" : 1201.45,
    "startComputeMs" : 1201.45, "endComputeMs" : 1202.65, "startD2hMs" : 1202.65, "endD2hMs" : 1202.7,
    "h2dMs" : 0.12, "computeMs" : 1.2, "d2hMs" : 0.05, "latencyMs" : 1.37 }])";

TEST(TrtexecTimes, AreOfEachPartUnderTheMetricThatItIs) {
  const ForeignTimes t = parse_foreign_times(kTwoRequests);
  EXPECT_EQ(t.ns, (std::vector<double>{1.15e6, 1.37e6}));
  ASSERT_EQ(t.parts.size(), 4U);
  EXPECT_EQ(part_named(t, "span")->ns, (std::vector<double>{1e6, 1.2e6}));
  EXPECT_EQ(part_named(t, "copy_in")->ns, (std::vector<double>{0.1e6, 0.12e6}));
  EXPECT_EQ(part_named(t, "copy_out")->ns, (std::vector<double>{0.05e6, 0.05e6}));
  EXPECT_EQ(part_named(t, "submit")->ns, (std::vector<double>{0.125e6, 0.12e6})) << "end - start: it has no key";
  EXPECT_FALSE(part_named(t, "device_time")) << "nothing is gated";
  EXPECT_EQ(t.note, "latency as trtexec has it: copies included, requests queued ahead");
}

// Six digits: beyond a second the stamps have steps of 10 µs. Durations were subtracted before they were written, from
// 32-bit floats, whose step at 1,202 ms is 2^-13 ms.
TEST(TrtexecTimes, HaveTheStepsOfTheFormInWhichTheyWereWritten) {
  const ForeignTimes t = parse_foreign_times(kTwoRequests);
  EXPECT_NEAR(part_named(t, "submit")->tick_ns, 10e3, 1);
  EXPECT_NEAR(part_named(t, "span")->tick_ns, 122.07, 0.01);
  EXPECT_NEAR(t.tick_ns, 122.07, 0.01);
  const ForeignTimes fine =
      parse_foreign_times(R"([{"startEnqMs": 1200.123456, "endEnqMs": 1200.223456, "computeMs": 1, "latencyMs": 1}])");
  EXPECT_NEAR(part_named(fine, "submit")->tick_ns, 122.07, 0.01) << "seven digits and more: only the floats remain";
  const ForeignTimes keyed =
      parse_foreign_times(R"([{"startEnqMs": 1200.12, "endEnqMs": 1200.22, "enqMs": 0.1034, "latencyMs": 1}])");
  EXPECT_NEAR(part_named(keyed, "submit")->ns.front(), 103.4e3, 1e-6) << "a key of its own is finer than the stamps";
  EXPECT_NEAR(part_named(keyed, "submit")->tick_ns, 122.07, 0.01);
}

// The default since version 11; a first request may have copies all the same.
TEST(TrtexecTimes, LeaveCopiesOutThatWereNotMade) {
  const ForeignTimes t = parse_foreign_times(R"([
    {"h2dMs": 0.1, "computeMs": 1, "d2hMs": 0.1, "latencyMs": 1.2},
    {"h2dMs": 0, "computeMs": 1, "d2hMs": 0, "latencyMs": 1},
    {"h2dMs": 0, "computeMs": 1, "d2hMs": 0, "latencyMs": 1}])");
  ASSERT_EQ(t.parts.size(), 1U);
  EXPECT_EQ(t.parts[0].metric, "span");
  EXPECT_EQ(t.note, "latency as trtexec has it: its GPU compute time, no copies, requests queued ahead");
}

TEST(TrtexecTimes, KeepCopiesOfWhichFewAreTooShortForTheFile) {
  const ForeignTimes t = parse_foreign_times(
      R"([{"h2dMs": 0, "latencyMs": 1}, {"h2dMs": 0.001, "latencyMs": 1}, {"h2dMs": 0.001, "latencyMs": 1}])");
  ASSERT_TRUE(part_named(t, "copy_in"));
  EXPECT_EQ(part_named(t, "copy_in")->ns, (std::vector<double>{0, 1e3, 1e3}));
}

TEST(TrtexecTimes, OfOldVersionsHaveOtherKeys) {
  const ForeignTimes t = parse_foreign_times(
      R"([{"startInMs": 10, "inMs": 0.1, "computeMs": 1, "outMs": 0.2, "latencyMs": 1.3, "endToEndMs": 2.4},
          {"startInMs": 12, "inMs": 0.1, "computeMs": 1, "outMs": 0.2, "latencyMs": 1.3, "endToEndMs": 2.4}])");
  EXPECT_EQ(t.ns, (std::vector<double>{1.3e6, 1.3e6}));
  EXPECT_EQ(part_named(t, "copy_in")->ns, (std::vector<double>{0.1e6, 0.1e6}));
  EXPECT_EQ(part_named(t, "copy_out")->ns, (std::vector<double>{0.2e6, 0.2e6}));
  EXPECT_EQ(t.at_seconds, (std::vector<double>{0, 0.002}));
}

TEST(TrtexecTimes, LeaveAPartOutThatNotEveryRequestHas) {
  EXPECT_TRUE(parse_foreign_times(R"([{"computeMs": 1, "latencyMs": 1}, {"latencyMs": 1}])").parts.empty());
  EXPECT_TRUE(parse_foreign_times(R"([{"computeMs": "1", "latencyMs": 1}])").parts.empty());
  EXPECT_TRUE(parse_foreign_times(R"([{"startEnqMs": 5, "latencyMs": 1}])").parts.empty());
}

TEST(TrtexecTimes, AreRefusedWhereAPartIsNoTime) {
  EXPECT_THROW(parse_foreign_times(R"([{"computeMs": -1, "latencyMs": 1}])"), Error);
  EXPECT_THROW(parse_foreign_times(R"([{"computeMs": 1e305, "latencyMs": 1}])"), Error);
}

TEST(TrtexecTimes, AreDefinedByWhatTheToolMeasures) {
  for (const char* metric : {"reading", "submit", "span", "copy_in", "copy_out"}) {
    ASSERT_FALSE(foreign_definition("trtexec", metric).empty()) << metric;
    EXPECT_NE(foreign_definition("trtexec", metric), metric_info(metric)->definition) << metric;
  }
  EXPECT_TRUE(foreign_definition("trtexec", "device_time").empty());
  EXPECT_TRUE(foreign_definition("hyperfine", "reading").empty());
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/search/loads.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

using Numbers = std::vector<std::size_t>;

ThroughputPlan plan(const char* runtime, Numbers streams = {}, Numbers in_flight = {}) {
  ThroughputPlan o;
  o.open.model = "a.onnx";
  o.open.runtime = runtime;
  o.streams = std::move(streams);
  o.in_flight = std::move(in_flight);
  return o;
}

Loads settled(const ThroughputPlan& o, const TrialPoint& first, bool asynchronous = false) {
  Loads loads = first_loads(o);
  settle_loads(o, first, asynchronous, loads);
  return loads;
}

TEST(Loads, AreThoseThatWereAskedFor) {
  const Loads loads = settled(plan("openvino", {2, 4}, {1, 3}), {.streams = 2, .in_flight = 1});
  EXPECT_EQ(loads.streams, (Numbers{2, 4}));
  EXPECT_EQ(loads.in_flight, (Numbers{1, 3}));
  EXPECT_EQ(settled(plan("onnxruntime", {2, 4}, {3}), {}, true).in_flight, Numbers{3});
}

TEST(Loads, BeginWithWhatTheRuntimeThinksBestAndLookAroundIt) {
  const ThroughputPlan o = plan("openvino");
  EXPECT_EQ(first_loads(o).streams, Numbers{0});
  EXPECT_EQ(first_loads(o).in_flight, Numbers{0});
  const Loads loads = settled(o, {.streams = 8, .in_flight = 1});
  EXPECT_EQ(loads.streams, (Numbers{8, 4, 16, 1}));
  EXPECT_EQ(loads.in_flight, (Numbers{1, 2}));
  EXPECT_EQ(settled(o, {.streams = 1, .in_flight = 1}).streams, (Numbers{1, 2}));
  EXPECT_EQ(settled(o, {.streams = 2, .in_flight = 1}).streams, (Numbers{2, 1, 4}));
}

TEST(Loads, HaveTheRuntimesRequestsOnStreamsThatWereAskedFor) {
  const Loads loads = settled(plan("openvino", {4}), {.streams = 4, .in_flight = 2});
  EXPECT_EQ(loads.streams, Numbers{4});
  EXPECT_EQ(loads.in_flight, Numbers{2});
}

TEST(Loads, AreTheStreamsThatTheRuntimeReallyHas) {
  EXPECT_EQ(settled(plan("openvino", {64}), {.streams = 2, .in_flight = 1}).streams, Numbers{2});
}

TEST(Loads, AreOneTwoAndFourInFlightWithinABound) {
  ThroughputPlan o = plan("openvino");
  o.max_latency = 10ms;
  EXPECT_EQ(settled(o, {.streams = 2, .in_flight = 1}).in_flight, (Numbers{1, 2, 4}));
}

TEST(Loads, AreOneInFlightWhereACallReturnsWhenTheWorkIsDone) {
  EXPECT_EQ(settled(plan("onnxruntime", {1}), {}, false).in_flight, Numbers{1});
  EXPECT_EQ(settled(plan("onnxruntime", {1}), {}, true).in_flight, Numbers{4});
}

TEST(Loads, AreNotFoundWhereEachStreamIsASession) {
  try {
    first_loads(plan("onnxruntime"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::usage);
    EXPECT_NE(std::string(e.what()).find("onnxruntime"), std::string::npos);
  }
}

}  // namespace
}  // namespace strobe

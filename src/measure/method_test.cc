// SPDX-License-Identifier: Apache-2.0
#include "measure/method.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

namespace strobe {
namespace {

std::string queue_of(const Method& m) {
  return std::get<std::string>(axes(m).at("queue"));
}

TEST(Axes, NameHowFullTheQueueIs) {
  EXPECT_EQ(queue_of(kLatencyPass.method), "drained");
  EXPECT_EQ(queue_of(kDeviceTimePass.method), "gated");
  EXPECT_EQ(queue_of(kPeriodPass.method), "full");
}

TEST(Axes, NameTheDevicesOwnGateUnlessTheMethodAsksForOne) {
  Method m = kDeviceTimePass.method;
  EXPECT_EQ(std::get<std::string>(axes(m).at("gate")), "wait-value");
  EXPECT_EQ(std::get<std::string>(axes(m, "spin").at("gate")), "spin");
  m.spin_gate = true;
  EXPECT_EQ(std::get<std::string>(axes(m).at("gate")), "spin");
}

TEST(Axes, NameThePauseBeforeARequestWhereThereIsOne) {
  Method m = kLatencyPass.method;
  EXPECT_FALSE(axes(m).contains("idle_ns"));
  m.idle = {nanoseconds(10'000'000), true};
  EXPECT_EQ(std::get<double>(axes(m).at("idle_ns")), 10e6);
  EXPECT_TRUE(std::get<bool>(axes(m).at("idle_random")));
}

TEST(CheckMethod, RefusesOnlyToReadADeviceClockAtOnceWithoutWaiting) {
  Method m{.clock = Method::Clock::device, .wait = Method::Wait::none, .read = Method::Read::request};
  EXPECT_THROW(check_method(m), Error);
  for (const auto wait : {Method::Wait::event, Method::Wait::stream, Method::Wait::device}) {
    m.wait = wait;
    EXPECT_NO_THROW(check_method(m));
  }
}

}  // namespace
}  // namespace strobe

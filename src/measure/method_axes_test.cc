// SPDX-License-Identifier: Apache-2.0
#include "measure/method_axes.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "base/units.h"

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

TEST(MethodText, IsReadBackAsTheSameMethod) {
  for (const char* text :
       {"clock=device,wait=none,scope=block,queue=full", "wait=device,read=request,form=graph",
        "clock=device,wait=event,queue=gated,cache=cold,input=same,gate=spin,copies=true,second=true",
        "wait=none,warmup=false,once=true"})
    EXPECT_EQ(method_text(parse_method(text)), text);
}

TEST(MethodText, IsTheSameForEqualMethods) {
  EXPECT_EQ(method_text(parse_method("queue=full,clock=device,wait=event,read=end")),
            "clock=device,wait=event,queue=full");
  EXPECT_EQ(method_text({}), "wait=stream");
  EXPECT_EQ(method_text(parse_method("wait=stream")), "wait=stream");
}

TEST(ParseMethod, LeavesAxesThatAreNotNamedAsTheyAre) {
  const Method m = parse_method("clock=device");
  EXPECT_EQ(m.clock, Method::Clock::device);
  EXPECT_EQ(m.wait, Method{}.wait);
  EXPECT_TRUE(m.warmup);
}

TEST(ParseMethod, RefusesWordsThatThereAreNotAndSaysWhichThereAre) {
  const auto refusal = [](const char* text) {
    try {
      parse_method(text);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::usage);
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("clok=device").find("Did you mean 'clock'?"), std::string::npos);
  EXPECT_NE(refusal("wait=nothing").find("Take one of none, event, stream, device"), std::string::npos);
  EXPECT_NE(refusal("clock=device,clock=host").find("given twice"), std::string::npos);
  for (const char* bad : {"", "clock", "clock=", "=device", "clock=device,", "in_flight=2", "warmup=no"})
    EXPECT_NE(refusal(bad), "") << bad;
}

}  // namespace
}  // namespace strobe

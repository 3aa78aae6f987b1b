// SPDX-License-Identifier: Apache-2.0
#include "workload/builtin.h"

#include <gtest/gtest.h>

#include <strobe/error.h>

#include "device/inline_device.h"
#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

TEST(Builtin, SpinsAndSleepsAtLeastAsLongAsSaid) {
  InlineDevice cpu;
  for (const char* text : {"spin=300us", "sleep=300us"}) {
    const auto work = make_builtin(text, cpu);
    const nanoseconds begin = cpu.clock().now();
    work->submit(0);
    EXPECT_GE(cpu.clock().now() - begin, 300us) << text;
  }
}

TEST(Builtin, RefusesWhatItDoesNotKnow) {
  InlineDevice cpu;
  for (const char* text : {"", "nul", "null=3", "spin", "spin=", "spin=5", "dance=1ms", "leak", "leak=", "leak=1"})
    EXPECT_THROW(make_builtin(text, cpu), Error) << text;
}

TEST(Builtin, LeaksUpToAGibibyte) {
  InlineDevice cpu;
  const auto work = make_builtin("leak=600MiB", cpu);
  work->submit(0);
  EXPECT_THROW(work->submit(1), Error);
}

TEST(Builtin, MovesASimulatedClockAndRefusesWhatTakesNoTimeThere) {
  SimulatedDevice device(parse_sim("launch=1us"));
  for (const char* text : {"spin=300us", "sleep=300us"}) {
    const nanoseconds begin = device.clock().now();
    make_builtin(text, device)->submit(0);
    EXPECT_EQ(device.clock().now() - begin, 300us) << text;
  }
  for (const char* text : {"null", "spin=0s", "sleep=0s"}) EXPECT_THROW(make_builtin(text, device), Error) << text;
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/timeline.h"

#include <gtest/gtest.h>

#include "device/simulated/simulated_device.h"

namespace strobe {
namespace {

TEST(Anchor, IsTheMomentBetweenTwoReadingsAndKnowsHowFarItMayBeOff) {
  SimulatedDevice gpu(parse_sim("mark=1us,sync=5us"));
  const auto stream = gpu.stream();
  stream->reserve(2 * kAnchorTries);
  const Anchor a = take_anchor(*stream, gpu.clock());
  EXPECT_EQ(a.uncertainty, 3us);
  EXPECT_EQ(a.host, 3us);  // the first of equals
}

TEST(ClockMap, PlacesMarksBetweenItsAnchors) {
  SimulatedDevice gpu(parse_sim("mark=0ns,sync=0ns,kernels=1x1us"));
  SimulatedStream stream(gpu);
  stream.reserve(64);
  const Anchor before = take_anchor(stream, gpu.clock());
  gpu.clock().sleep(10us);
  stream.launch_kernel(2us, 30us);
  const Mark m = stream.mark();
  stream.synchronize();
  const Anchor after = take_anchor(stream, gpu.clock());
  const ClockMap map(stream, before, after);
  EXPECT_EQ(map.host_time(m), 42us);
  EXPECT_EQ(map.uncertainty(), 0ns);
  EXPECT_TRUE(map.within_reach());
}

TEST(ClockMap, TrustsNoMarkFurtherThanASecondFromAnAnchor) {
  SimulatedDevice gpu(parse_sim("kernels=1x1us"));
  const auto stream = gpu.stream();
  stream->reserve(64);
  const Anchor before = take_anchor(*stream, gpu.clock());
  gpu.clock().sleep(2s + 1ns);
  EXPECT_FALSE(ClockMap(*stream, before, take_anchor(*stream, gpu.clock())).within_reach());
}

}  // namespace
}  // namespace strobe

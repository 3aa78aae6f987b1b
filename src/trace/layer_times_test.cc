// SPDX-License-Identifier: Apache-2.0
#include "trace/layer_times.h"

#include <gtest/gtest.h>

namespace strobe::trace {
namespace {

LayerCall layer(const char* name, nanoseconds begin, nanoseconds end) {
  return {.name = name, .type = "Op", .where = "", .when = {begin, end}};
}

DeviceWork kernel(nanoseconds submitted, nanoseconds begin, nanoseconds end) {
  return {
      .kind = DeviceWork::Kind::kernel, .name = "k", .submitted = submitted, .queued = submitted, .when = {begin, end}};
}

nanoseconds whole(const LayerTimes& t) {
  nanoseconds sum = t.unattributed + t.gaps;
  for (const LayerTime& l : t.layers) sum += l.time;
  return sum;
}

TEST(LayerTimes, OnTheHostAreWhatNoCallWithinHas) {
  RequestTrace t;
  t.length = 100ns;
  t.layers = {layer("if", 10ns, 60ns), layer("conv", 20ns, 50ns), layer("relu", 70ns, 90ns)};
  const LayerTimes times = layer_times_on_host(t);
  ASSERT_EQ(times.layers.size(), 3u);
  EXPECT_EQ(times.layers[0].time, 20ns);
  EXPECT_EQ(times.layers[1].time, 30ns);
  EXPECT_EQ(times.layers[2].time, 20ns);
  EXPECT_EQ(times.gaps, 30ns);
  EXPECT_EQ(whole(times), t.length);
}

TEST(LayerTimes, OfALayerThatIsCalledTwiceAreOneRow) {
  RequestTrace t;
  t.length = 50ns;
  t.layers = {layer("a", 0ns, 10ns), layer("b", 10ns, 20ns), layer("a", 20ns, 45ns)};
  const LayerTimes times = layer_times_on_host(t);
  ASSERT_EQ(times.layers.size(), 2u);
  EXPECT_EQ(times.layers[0].calls, 2u);
  EXPECT_EQ(times.layers[0].time, 35ns);
}

TEST(LayerTimes, OnADeviceAreThoseOfWhatTheLayerHandedOver) {
  RequestTrace t;
  t.length = 200ns;
  t.layers = {layer("a", 0ns, 10ns), layer("b", 10ns, 20ns)};
  t.work = {kernel(2ns, 30ns, 60ns), kernel(5ns, 60ns, 70ns), kernel(12ns, 80ns, 130ns), kernel(25ns, 140ns, 150ns)};
  const LayerTimes times = layer_times_on_device(t);
  EXPECT_EQ(times.layers[0].time, 40ns);
  EXPECT_EQ(times.layers[0].kernels, 2u);
  EXPECT_EQ(times.layers[1].time, 50ns);
  EXPECT_EQ(times.unattributed, 10ns);  // handed over when no layer was
  EXPECT_EQ(whole(times), t.length);
}

TEST(LayerTimes, GiveWorkToTheInnermostOfCallsWithinEachOther) {
  RequestTrace t;
  t.length = 100ns;
  t.layers = {layer("outer", 0ns, 50ns), layer("inner", 10ns, 20ns)};
  t.work = {kernel(15ns, 20ns, 30ns), kernel(40ns, 40ns, 45ns)};
  const LayerTimes times = layer_times_on_device(t);
  EXPECT_EQ(times.layers[1].time, 10ns);
  EXPECT_EQ(times.layers[0].time, 5ns);
}

TEST(LayerTimes, CountOverlappingKernelsOnce) {
  RequestTrace t;
  t.length = 100ns;
  t.layers = {layer("a", 0ns, 10ns), layer("b", 10ns, 20ns)};
  t.work = {kernel(0ns, 20ns, 60ns), kernel(12ns, 50ns, 80ns)};
  const LayerTimes times = layer_times_on_device(t);
  EXPECT_EQ(times.layers[0].time, 40ns);
  EXPECT_EQ(times.layers[1].time, 20ns);
  EXPECT_EQ(whole(times), t.length);
}

}  // namespace
}  // namespace strobe::trace

// SPDX-License-Identifier: Apache-2.0
// What each way does with the driver, on a fake one whose clock advances by 1 µs at each event. Readings are tested on
// a real GPU, by the self-test itself.
#include "study/selftest/known_kernels.h"

#include <map>

#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "testing/fake_cuda.h"

namespace strobe {
namespace {

using testing::fake_cuda;
using testing::fake_driver;

TEST(KnownKernels, AreReadInEveryWay) {
  const std::map<std::string_view, double> expected{{"event", 1000},      {"event-queued", 1000}, {"block", 100},
                                                    {"gated", 1000},      {"gated-spin", 1000},   {"graph", 1000},
                                                    {"graph-event", 1000}};
  cuda::CudaDevice device(fake_driver(), "0");
  KnownKernels kernels(device);
  for (const NamedWay& w : ways()) {
    const std::vector<Reading> readings = kernels.medians(w.way, {});
    ASSERT_EQ(readings.size(), kLengths.size()) << w.name;
    for (const Reading& r : readings) {
      EXPECT_GT(r.read, 0) << w.name;
      if (const auto it = expected.find(w.name); it != expected.end()) {
        EXPECT_NEAR(r.read, it->second, 10) << w.name;
      }
    }
  }
}

TEST(KnownKernels, AreTenInABlockAndOneOtherwise) {
  cuda::CudaDevice device(fake_driver(), "0");
  KnownKernels kernels(device);
  const auto launches = [&](Way way) {
    const int before = fake_cuda().kernel_launches;
    kernels.medians(way, {});
    return fake_cuda().kernel_launches - before;
  };
  // Four lengths in 32 phases, three times, after three to warm up; of blocks, once.
  for (const Way way : {Way::event_queued, Way::block_host, Way::block}) EXPECT_EQ(launches(way), 4 * (3 + 32) * 10);
  for (const Way way : {Way::naive, Way::sync, Way::event, Way::gated}) EXPECT_EQ(launches(way), 4 * (3 + 3 * 32));
}

TEST(KnownKernels, AreTakenOnceWhereTheirOffsetsAreOneConstantAndThreeTimesOtherwise) {
  cuda::CudaDevice device(fake_driver(), "0");
  KnownKernels kernels(device);
  const auto launches = [&](double allowed) {
    const int before = fake_cuda().kernel_launches;
    EXPECT_EQ(kernels.settled(Way::gated, allowed, {}).size(), kLengths.size());
    return fake_cuda().kernel_launches - before;
  };
  EXPECT_EQ(launches(1e9), 4 * (3 + 3 * 32));
  EXPECT_EQ(launches(-1), 3 * 4 * (3 + 3 * 32));
}

TEST(KnownKernels, HaveARangeOfOffsets) {
  const std::array readings{Reading{.offset = 3}, Reading{.offset = -1}, Reading{.offset = 2}};
  EXPECT_EQ(offset_range(readings).low, -1);
  EXPECT_EQ(offset_range(readings).width(), 4);
  EXPECT_EQ(offset_range({}).width(), 0);
}

TEST(KnownKernels, MayDifferByTwoTicksOfTheCoarserClock) {
  cuda::CudaDevice device(fake_driver(), "0");
  const double tick = to_double(device.tick());
  EXPECT_EQ(allowed_offset_width(device, {}), 2 * tick + 1);
  EXPECT_EQ(allowed_offset_width(device, {{"timer_step_ns", tick + 1000}}), 2 * (tick + 1000) + 1);
}

TEST(KnownKernels, AreNotReadOnceStopped) {
  cuda::CudaDevice device(fake_driver(), "0");
  EXPECT_TRUE(KnownKernels(device).medians(Way::event, [] { return true; }).empty());
}

}  // namespace
}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "trace/activity.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace strobe::trace {
namespace {

DeviceWork kernel(nanoseconds submitted, nanoseconds queued, nanoseconds begin, nanoseconds end) {
  return {
      .kind = DeviceWork::Kind::kernel, .name = "k", .submitted = submitted, .queued = queued, .when = {begin, end}};
}

HostCall wait(nanoseconds begin, nanoseconds end) {
  return {HostCall::Kind::wait, {begin, end}};
}

// Two kernels that the host launches slowly, and then waits for.
RequestTrace launch_bound() {
  RequestTrace t;
  t.length = 100ns;
  t.work = {kernel(0ns, 30ns, 30ns, 40ns), kernel(30ns, 60ns, 60ns, 80ns)};
  t.calls = {wait(60ns, 100ns)};
  return t;
}

TEST(Activity, CallsTheDeviceStarvedWhileTheHostPreparesTheNextKernel) {
  const Activity a = activity_of(launch_bound());
  EXPECT_EQ(a.busy, 30ns);
  EXPECT_EQ(a.starved, 50ns);  // 0 to 30, 40 to 60
  EXPECT_EQ(a.drained, 20ns);  // 80 to 100: the host waits, and nothing is left
  EXPECT_EQ(a.pipeline, 0ns);
  EXPECT_EQ(a.kernels, 2u);
  EXPECT_EQ(a.calls, 2u);
}

TEST(Activity, CountsTheLaunchOfAGraphOnce) {
  RequestTrace t;
  t.length = 50ns;
  t.work = {kernel(0ns, 5ns, 10ns, 20ns), kernel(0ns, 5ns, 21ns, 30ns), kernel(6ns, 8ns, 31ns, 40ns)};
  EXPECT_EQ(activity_of(t).calls, 2u);
  EXPECT_EQ(activity_of(t).kernels, 3u);
}

TEST(Idle, IsEachGapWithItsReasonInTheOrderOfTime) {
  const std::vector<Idle> idle = idle_of(launch_bound());
  const std::vector<Idle> expected{
      {IdleReason::starved, {0ns, 30ns}}, {IdleReason::starved, {40ns, 60ns}}, {IdleReason::drained, {80ns, 100ns}}};
  EXPECT_EQ(idle, expected);
  RequestTrace queued;
  queued.length = 50ns;
  queued.work = {kernel(0ns, 1ns, 1ns, 20ns), kernel(1ns, 2ns, 25ns, 45ns)};
  EXPECT_EQ(idle_of(queued)[1], (Idle{IdleReason::pipeline, {20ns, 25ns}}));
}

TEST(Activity, CallsAPauseBetweenQueuedKernelsTheDevices) {
  RequestTrace t;
  t.length = 50ns;
  t.work = {kernel(0ns, 1ns, 1ns, 20ns), kernel(1ns, 2ns, 25ns, 45ns)};
  const Activity a = activity_of(t);
  EXPECT_EQ(a.pipeline, 5ns);
  EXPECT_EQ(a.starved, 6ns);  // before the first is queued, and after the last
}

TEST(Activity, DividesTheTimeBetweenHostAndDevice) {
  const Activity a = activity_of(launch_bound());
  EXPECT_EQ(a.both, 10ns);         // 30 to 40
  EXPECT_EQ(a.host_only, 50ns);    // 0 to 30, 40 to 60
  EXPECT_EQ(a.device_only, 20ns);  // 60 to 80
  EXPECT_EQ(a.neither, 20ns);      // 80 to 100
}

TEST(Activity, TellsCopiesFromKernelsAndHowMuchTheyOverlap) {
  RequestTrace t;
  t.length = 100ns;
  t.work = {kernel(0ns, 0ns, 0ns, 60ns),
            {.kind = DeviceWork::Kind::copy, .name = "in", .submitted = 0ns, .queued = 0ns, .when = {40ns, 80ns}}};
  const Activity a = activity_of(t);
  EXPECT_EQ(a.kernel_busy, 60ns);
  EXPECT_EQ(a.copy_busy, 40ns);
  EXPECT_EQ(a.copies_beside_kernels, 20ns);
  EXPECT_EQ(a.busy, 80ns);
  EXPECT_DOUBLE_EQ(a.concurrency(), 100.0 / 80);
}

TEST(Activity, HasNoConcurrencyWhereNothingRan) {
  RequestTrace t;
  t.length = 10ns;
  const Activity a = activity_of(t);
  EXPECT_EQ(a.concurrency(), 0);
  EXPECT_EQ(a.starved, 10ns);
}

TEST(Activity, PartsAddUpToTheRequestWhateverWasRecorded) {
  Random random(3);
  const auto at_most = [&](double most) { return nanoseconds(static_cast<std::int64_t>(random.uniform() * most)); };
  for (int turn = 0; turn < 300; ++turn) {
    RequestTrace t;
    t.length = 1000ns;
    for (int i = 0; i < 10; ++i) {
      const nanoseconds begin = at_most(1100), queued = begin - at_most(200);
      t.work.push_back(kernel(queued, queued, begin, begin + at_most(150)));
      const nanoseconds waiting = at_most(1000);
      t.calls.push_back(wait(waiting, waiting + at_most(80)));
    }
    const Activity a = activity_of(t);
    EXPECT_EQ(a.busy + a.starved + a.drained + a.pipeline, a.window);
    EXPECT_EQ(a.both + a.host_only + a.device_only + a.neither, a.window);
    for (const nanoseconds part : {a.starved, a.drained, a.pipeline, a.host_only, a.device_only, a.neither})
      EXPECT_GE(part, 0ns);
  }
}

}  // namespace
}  // namespace strobe::trace

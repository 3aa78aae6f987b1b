// SPDX-License-Identifier: Apache-2.0
#include "trace/recording.h"

#include <gtest/gtest.h>

namespace strobe::trace {
namespace {

constexpr auto kSubmit = HostCall::Kind::submit, kWait = HostCall::Kind::wait;

RecordedCall recorded_call(std::uint64_t number, nanoseconds begin, nanoseconds end, HostCall::Kind kind = kSubmit) {
  return {.number = number, .kind = kind, .name = "launch", .when = {begin, end}};
}

RecordedWork recorded_kernel(std::uint64_t number, nanoseconds begin, nanoseconds end, const char* name = "k") {
  return {.number = number, .name = name, .when = {begin, end}};
}

TEST(Join, FindsTheCallOfEachPieceOfWork) {
  Recording r;
  r.calls = {recorded_call(2, 30ns, 40ns), recorded_call(1, 10ns, 20ns)};
  r.work = {recorded_kernel(2, 50ns, 60ns, "b"), recorded_kernel(1, 25ns, 35ns, "a")};
  const Joined all = join(r);
  ASSERT_EQ(all.work.size(), 2u);
  EXPECT_EQ(all.work[0].name, "a");
  EXPECT_EQ(all.work[0].submitted, 10ns);
  EXPECT_EQ(all.work[0].queued, 20ns);
  EXPECT_EQ(all.work[1].submitted, 30ns);
  EXPECT_EQ(all.calls.size(), 2u);
  EXPECT_EQ(all.calls[0].when, (Interval{10ns, 20ns}));
}

TEST(Join, TakesTheOutermostOfCallsWithinEachOther) {
  Recording r;
  r.calls = {recorded_call(1, 12ns, 15ns), recorded_call(1, 10ns, 20ns)};
  r.work = {recorded_kernel(1, 25ns, 35ns)};
  const Joined all = join(r);
  EXPECT_EQ(all.work[0].submitted, 10ns);
  EXPECT_EQ(all.work[0].queued, 20ns);
  EXPECT_EQ(all.calls.size(), 1u);
}

TEST(Join, DoesNotTakeAWaitForACall) {
  Recording r;
  r.calls = {recorded_call(1, 10ns, 20ns, kWait)};
  r.work = {recorded_kernel(1, 25ns, 35ns)};
  EXPECT_EQ(join(r).without_call, 1u);
  EXPECT_EQ(join(r).calls[0].kind, kWait);
}

TEST(Join, LeavesOutWhatHasNoTime) {
  Recording r;
  r.calls = {recorded_call(1, 10ns, 20ns)};
  r.work = {recorded_kernel(1, 0ns, 35ns), recorded_kernel(1, 25ns, 0ns), recorded_kernel(1, 25ns, 35ns)};
  EXPECT_EQ(join(r).untimed, 2u);
  EXPECT_EQ(join(r).work.size(), 1u);
}

TEST(Join, CountsWorkThatBeginsBeforeItsCall) {
  Recording r;
  r.calls = {recorded_call(1, 10ns, 20ns)};
  r.work = {recorded_kernel(1, 7ns, 35ns), recorded_kernel(1, 10ns, 35ns), recorded_kernel(1, 9ns, 11ns)};
  EXPECT_EQ(join(r).early, 2u);
  EXPECT_EQ(join(r).earliest, 3ns);
}

// The tracer's clock is 1000 ns behind; it was read within brackets of 4 ns.
TEST(Join, BringsTimesToTheHostsClock) {
  Recording r;
  r.clock = {{998ns, 0ns, 1002ns}, {1998ns, 1000ns, 2002ns}};
  r.calls = {recorded_call(1, 10ns, 20ns)};
  r.work = {recorded_kernel(1, 25ns, 35ns)};
  EXPECT_EQ(join(r).work[0].when, (Interval{1025ns, 1035ns}));
  EXPECT_EQ(join(r).work[0].submitted, 1010ns);
  EXPECT_EQ(join(r).calls[0].when, (Interval{1010ns, 1020ns}));
  EXPECT_EQ(clock_error(r), 2ns);
  EXPECT_EQ(clock_error({}), 0ns);
}

TEST(ClockError, HoldsHalfOfAStep) {
  Recording r;
  r.clock = {{998ns, 0ns, 1002ns}, {1996ns, 900ns, 2004ns}};
  EXPECT_EQ(clock_error(r), 4ns + 50ns);
  r.clock[1] = {1996ns, 1100ns, 2004ns};
  EXPECT_EQ(clock_error(r), 4ns + 50ns);
}

TEST(Place, GivesWorkToTheRequestThatHandedItOver) {
  Joined all;
  all.calls = {{kSubmit, {110ns, 120ns}}, {kWait, {205ns, 290ns}}, {kWait, {300ns, 310ns}}};
  all.work = {{DeviceWork::Kind::kernel, "a", 110ns, 120ns, {130ns, 140ns}},
              {DeviceWork::Kind::kernel, "late", 190ns, 195ns, {210ns, 220ns}},
              {DeviceWork::Kind::kernel, "between", 200ns, 200ns, {201ns, 202ns}}};
  const std::vector<Interval> windows{{100ns, 200ns}, {205ns, 300ns}};
  const std::vector<RequestTrace> requests = place(all, windows);
  ASSERT_EQ(requests.size(), 2u);
  ASSERT_EQ(requests[0].work.size(), 2u);
  EXPECT_EQ(requests[0].work[0].when, (Interval{30ns, 40ns}));
  EXPECT_EQ(requests[0].work[0].submitted, 10ns);
  EXPECT_EQ(requests[0].work[0].queued, 20ns);
  EXPECT_EQ(requests[0].length, 100ns);
  EXPECT_TRUE(requests[1].work.empty());
  ASSERT_EQ(requests[1].calls.size(), 1u);
  EXPECT_EQ(requests[1].calls[0].when, (Interval{0ns, 85ns}));
}

RequestTrace request_of(std::initializer_list<std::pair<const char*, std::uint64_t>> kernels) {
  RequestTrace t;
  for (const auto& [name, stream] : kernels) {
    t.work.emplace_back();
    t.work.back().name = name;
    t.work.back().stream = stream;
  }
  return t;
}

TEST(CompareKernelLists, FindsTheRequestThatDiffersFromMost) {
  const RequestTrace usual = request_of({{"a", 1}, {"b", 1}}), other = request_of({{"a", 1}, {"c", 1}});
  EXPECT_EQ(compare_kernel_lists({usual, usual, usual}).differing, 0u);
  const KernelLists lists = compare_kernel_lists({usual, other, usual});
  EXPECT_EQ(lists.differing, 1u);
  EXPECT_EQ(lists.first_difference, "number 2 is c instead of b");
  EXPECT_EQ(compare_kernel_lists({usual, request_of({{"a", 1}}), usual}).first_difference,
            "1 pieces of work instead of 2");
}

TEST(CompareKernelLists, DoesNotMindWhichOfTwoStreamsWasFirst) {
  const RequestTrace one = request_of({{"a", 1}, {"b", 2}}), other = request_of({{"b", 2}, {"a", 1}});
  EXPECT_EQ(compare_kernel_lists({one, other}).differing, 0u);
  EXPECT_EQ(compare_kernel_lists({one, request_of({{"b", 1}, {"a", 1}})}).differing, 1u);
}

}  // namespace
}  // namespace strobe::trace

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "record/metric_names.h"
#include "testing/contains.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

Record traced(const TraceQuality& trace) {
  Record r;
  r.verb = "profile";
  r.profile.requests = 100;
  r.profile.trace = trace;
  r.metrics[metric::busy].estimate = {.value = 1e6, .low = 0.99e6, .high = 1.01e6};
  return r;
}

TEST(LostRecords, AreADoubtWhereTheyAreMoreThanBusyIsKnownTo) {
  const auto finding = lost_records(traced({.records = 1000, .lost = 50}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->severity, Severity::warning);
  EXPECT_TRUE(testing::has(finding->message, "lost 50 of 1,000 records (5.0 %)")) << finding->message;
  EXPECT_EQ(lost_records(traced({.records = 1000, .lost = 5}))->severity, Severity::note);
  EXPECT_FALSE(lost_records(traced({.records = 1000})));
  EXPECT_FALSE(lost_records(Record()));
}

TEST(AnotherProfiler, IsNamed) {
  const auto finding = another_profiler(traced({.held_by = "CUPTI for kineto"}));
  ASSERT_TRUE(finding);
  EXPECT_TRUE(testing::has(finding->message, "(CUPTI for kineto)"));
  EXPECT_EQ(finding->severity, Severity::note);
  EXPECT_FALSE(another_profiler(traced({.tracer = "CUPTI 130001"})));
}

TEST(KernelListDiffers, IsSaidWithTheFirstDifference) {
  const auto finding =
      kernel_list_differs(traced({.differing_requests = 3, .first_difference = "number 2 is c instead of b"}));
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->about, About::workload);
  EXPECT_EQ(finding->message,
            "3 of 100 profiled requests do other work on the device than the rest (number 2 is c instead of b)");
  EXPECT_FALSE(kernel_list_differs(traced({})));
}

}  // namespace
}  // namespace strobe

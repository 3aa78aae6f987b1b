// SPDX-License-Identifier: Apache-2.0
#include "report/text/memory_text.h"

#include <gtest/gtest.h>

#include "report/html.h"
#include "report/memory_parts.h"
#include "report/trace_events.h"
#include "testing/contains.h"
#include "testing/sample_records.h"

namespace strobe {
namespace {

using testing::has;
using testing::sample_memory;

std::string memory_text_of(const Record& r, bool verbose = false) {
  return show_memory(r, {.verbose = verbose}, Painter(false));
}

TEST(MemoryText, AnswersBeforeItDivides) {
  const std::string text = memory_text_of(sample_memory());
  EXPECT_TRUE(has(text, "limit        it fits into 1.00 GiB")) << text;
  EXPECT_TRUE(has(text, "for about 800 requests more")) << text;
  EXPECT_TRUE(has(text, "growth       it grows: ")) << text;
  EXPECT_TRUE(has(text, "20 % free")) << text;
  EXPECT_TRUE(has(text, "first request")) << text;
  EXPECT_TRUE(has(text, "conv1")) << text;
}

TEST(MemoryText, SaysWhatIsUnknown) {
  Record r = sample_memory();
  r.memory.allocator.reset();
  r.memory.why_no_allocator = "nobody tells";
  r.memory.why_no_events = "no tracer";
  r.memory.places.front().growth = MemoryGrowth{{}, 3, "cannot-tell"};
  const std::string text = memory_text_of(r);
  EXPECT_TRUE(has(text, "allocator    unknown: nobody tells")) << text;
  EXPECT_TRUE(has(text, "events       unknown: no tracer")) << text;
  EXPECT_TRUE(has(text, "growth       unknown: 3 requests are too few")) << text;
}

TEST(MemoryText, SaysByHowMuchItDoesNotFit) {
  Record r = sample_memory();
  r.memory.fit = MemoryFit{1u << 20, -5e6, "does-not-fit", 0};
  EXPECT_TRUE(has(fit_sentence(r), "it does not fit into 1.00 MiB")) << fit_sentence(r);
  EXPECT_FALSE(has(fit_sentence(r), "more")) << fit_sentence(r);
  r.memory.fit->outcome = "cannot-tell";
  EXPECT_TRUE(has(fit_sentence(r), "cannot tell whether it fits")) << fit_sentence(r);
}

TEST(MemoryText, KeepsTheSignOfARemainder) {
  EXPECT_TRUE(has(parts_text({{"unexplained", {-4e6}}}), "unexplained -3.81 MiB"))
      << parts_text({{"unexplained", {-4e6}}});
}

TEST(MemoryParts, PutsAPlaceOnTheTimeOfAnother) {
  MemoryPlace slow{.name = "allocations"};
  slow.phases = {{"load", 0, 100}, {"steady", 100, 300}};
  slow.curve = {{50, 1}, {100, 2}, {200, 3}, {300, 4}};
  const auto points = on_time_of(slow, {{"load", 0, 10}, {"steady", 10, 20}});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].at_ns, 5);
  EXPECT_EQ(points[1].at_ns, 10);
  EXPECT_EQ(points[2].at_ns, 15);
  EXPECT_EQ(points[3].at_ns, 20);
}

TEST(MemoryTrace, HasACounterForEachPlaceAndItsPhases) {
  const Record r = sample_memory();
  const std::string trace = trace_events_of({&r, 1});
  EXPECT_TRUE(has(trace, "\"memory: process\""));
  EXPECT_TRUE(has(trace, "\"memory: allocations\""));
  EXPECT_TRUE(has(trace, "phases: process"));
  EXPECT_TRUE(has(trace, "\"bytes\":199000000.0"));
}

TEST(MemoryPage, ShowsThePeakOverTime) {
  const std::string page = html(sample_memory());
  EXPECT_TRUE(has(page, "Memory over a launch"));
  EXPECT_TRUE(has(page, "peak memory of the process"));
  EXPECT_TRUE(has(page, "What it is for"));
  EXPECT_TRUE(has(page, "The largest allocations"));
}

}  // namespace
}  // namespace strobe

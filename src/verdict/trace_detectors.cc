// SPDX-License-Identifier: Apache-2.0
// What is wrong with a recording of a device's work, and what it shows of the requests.
#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "verdict/detectors.h"

namespace strobe {

// What was lost is missing in busy and in the times of layers and kernels, and makes the device idle instead.
std::optional<Finding> lost_records(const Record& r) {
  const auto& trace = r.profile.trace;
  if (!trace || trace->lost == 0 || trace->records == 0) return {};
  const double share = static_cast<double>(trace->lost) / static_cast<double>(trace->records);
  return Finding{
      .id = "lost-records",
      .severity = by_effect(share, r, metric::busy),
      .message = fmt::format("the tracer lost {} of {} ({}): busy and the times of layers and kernels are too short",
                             trace->lost, counted(trace->records, "record", "records"), format_percent(share)),
      .advice = "Profile fewer requests a launch (--requests).",
      .evidence = {{"lost", static_cast<double>(trace->lost)}, {"effect", share}}};
}

// What was measured without a profiler stands; the rest is not there.
std::optional<Finding> another_profiler(const Record& r) {
  const auto& trace = r.profile.trace;
  if (!trace || trace->held_by.empty()) return {};
  return Finding{.id = "another-profiler",
                 .severity = Severity::note,
                 .message = fmt::format("another profiler records this process already ({}): there are no kernels and "
                                        "no layers of the device",
                                        trace->held_by),
                 .advice = "Run without it: only one profiler at a time can record a GPU."};
}

// Not equal work: other shapes, another algorithm, or work now and then. Medians of layers hide it.
std::optional<Finding> kernel_list_differs(const Record& r) {
  const auto& trace = r.profile.trace;
  if (!trace || trace->differing_requests == 0 || r.profile.requests == 0) return {};
  return Finding{
      .id = "kernel-list-differs",
      .about = About::workload,
      .severity = Severity::note,
      .message =
          fmt::format("{} of {} do other work on the device than the rest ({})", trace->differing_requests,
                      counted(r.profile.requests, "profiled request", "profiled requests"), trace->first_difference),
      .advice = "Look for work that is done now and then, such as copies or allocations; --save-trace keeps all of it.",
      .evidence = {{"requests", static_cast<double>(trace->differing_requests)}}};
}

}  // namespace strobe

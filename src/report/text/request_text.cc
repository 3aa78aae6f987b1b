// SPDX-License-Identifier: Apache-2.0
#include "report/text/request_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "report/text/timeline_text.h"

namespace strobe {
namespace {

constexpr double kGapsWorthSaying = 0.02;  // of what lies between the marks
constexpr const char* kDeviceLane = "device";

double request_end(const std::vector<TimelineSpan>& spans) {
  double end = 0;
  for (const TimelineSpan& s : spans) end = std::max(end, s.end_ns);
  return end;
}

// Its last stretch there: from one mark to the other.
const TimelineSpan* device_work(const Record& r) {
  const auto it =
      std::find_if(r.timeline.rbegin(), r.timeline.rend(), [](const TimelineSpan& s) { return s.lane == kDeviceLane; });
  return it == r.timeline.rend() ? nullptr : &*it;
}

std::string gaps_of(const Record& r) {
  const Metric* device = r.find(metric::device_time);
  const TimelineSpan* work = device_work(r);
  if (!device || !work) return {};
  const double span = work->end_ns - work->begin_ns, gaps = span - device->estimate.value;
  if (gaps <= kGapsWorthSaying * span) return {};
  return fmt::format("of these {} the device works for {} (device time), and waits for the host in between",
                     format_time(span), format_time(device->estimate.value));
}

}  // namespace

std::string request_sentence(const Record& r) {
  std::string text = gaps_of(r);
  if (const auto& off = r.observations.timeline_uncertainty_ns; off && *off > 0)
    text += fmt::format("{}the device's lane may be off by {}", text.empty() ? "" : "; ", format_time(*off));
  return text;
}

std::string typical_request_text(const Record& r) {
  if (r.timeline.empty()) return {};
  const std::string sentence = request_sentence(r);
  return "\na typical request\n" + timeline_text(r.timeline, request_end(r.timeline), kTimelineWidth) +
         (sentence.empty() ? "" : fmt::format("  {}\n", sentence));
}

}  // namespace strobe

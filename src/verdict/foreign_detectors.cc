// SPDX-License-Identifier: Apache-2.0
// What the parts of somebody else's time say about it. Of Strobe's own measurements the gate and the passes tell more.
#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {

// Their latency is a sum that contains the copies; whoever compares it with one that does not, errs by as much. It is
// what they say it is, so no doubt.
std::optional<Finding> copies_inside_reading(const Record& r) {
  constexpr double kNoted = 0.01;
  const Metric *reading = r.find(metric::reading), *span = r.find(metric::span);
  if (!study_info(r).foreign || !reading || reading->estimate.value <= 0) return {};
  double copies = 0;
  for (const char* name : {metric::copy_in, metric::copy_out}) {
    if (const Metric* m = r.find(name)) copies += m->estimate.value;
  }
  const double share = copies / reading->estimate.value;
  if (share <= kNoted) return {};
  const bool longer = span && copies >= span->estimate.value;
  return Finding{
      .id = "copy-inside-timing",
      .severity = Severity::note,
      .message =
          fmt::format("the copies of inputs and outputs are inside the reading: {} of it, {}{}", format_percent(share),
                      format_time(copies), longer ? ", and they take longer than the work between them" : ""),
      .advice = "Take the span for the model alone, or measure without copies (--noDataTransfers before trtexec 11).",
      .evidence = {{"share", share}, {"copies_ns", copies}}};
}

// Their span is not gated. While the host is slower than the device, it lasts as long as handing the work over does,
// and hardly longer: so a submit that is nearly as long shows that the host decides it. Half a tick is what a reading
// may be off by.
std::optional<Finding> submit_fills_span(const Record& r) {
  constexpr double kNearly = 0.8;  // trtexec warns from the same share on
  const Metric *submit = r.find(metric::submit), *span = r.find(metric::span);
  if (!study_info(r).foreign || !submit || !span || span->estimate.value <= 0) return {};
  const double ratio = (submit->estimate.value - submit->facts.tick / 2) / span->estimate.value;
  if (ratio <= kNearly) return {};
  return Finding{
      .id = "host-bound",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("handing a request over takes the host {}, and its span is {}: the device waits for the "
                             "host, and the span is no time of the device's",
                             format_time(submit->estimate.value), format_time(span->estimate.value)),
      .advice = "Replay a graph (--useCudaGraph before trtexec 11), or raise the batch.",
      .evidence = {{"submit_ns", submit->estimate.value}, {"span_ns", span->estimate.value}}};
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// What timing the stages of a pipeline did to it, and what a stage does that the others must wait for.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/marks_cost.h"
#include "record/metric_names.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// The stages as marks read them.
const Case* marked_case(const Record& r) {
  const auto it = std::find_if(r.cases.begin(), r.cases.end(),
                               [](const Case& c) { return c.name == "event" && !c.stages.empty(); });
  return it == r.cases.end() ? nullptr : &*it;
}

}  // namespace

// The headline is undisturbed; what marks read of the stages is longer by what the marks cost.
std::optional<Finding> disturbed(const Record& r) {
  const auto c =
      std::find_if(r.comparisons.begin(), r.comparisons.end(), [](const Comparison& x) { return x.b == "event"; });
  if (compares_candidates(r) || c == r.comparisons.end()) return {};
  const bool enough = c->pairs >= kRoundsForMarks && c->ratio.bounded();
  if (enough && *c->ratio.high - 1 <= kMarksMayCost) return {};
  const double effect = c->ratio.value - 1;
  if (enough && *c->ratio.low - 1 > kMarksMayCost)
    return Finding{
        .id = "disturbed",
        .severity = by_effect(effect, r),
        .message = fmt::format(
            "marks slow the pipeline by {}: the stages' readings and the time line are too long by that much in total",
            format_percent(effect)),
        .advice = "Take fewer, longer stages, or raise the batch.",
        .evidence = {{"effect", effect}}};
  Finding f{.id = "disturbed", .severity = Severity::note, .evidence = {{"rounds", static_cast<double>(c->pairs)}}};
  const std::string rounds = counted(c->pairs, "round", "rounds");
  const bool high = c->ratio.high && *c->ratio.high - 1 > kMarksMayCost;
  f.message = fmt::format(
      "cannot tell whether marks slow the pipeline by less than 1 %: {}",
      high ? fmt::format("after {} it may be up to {}", rounds, format_percent(*c->ratio.high - 1))
           : fmt::format("there {} {}, it takes {}", c->pairs == 1 ? "is" : "are", rounds, kRoundsForMarks));
  f.advice = c->needs ? fmt::format("Take about {} rounds (--rounds), more iterations, or a quieter machine.",
                                    format_count(std::max(kRoundsForMarks, *c->needs)))
                      : "Take more rounds (--rounds), more iterations, or a quieter machine.";
  return f;
}

// Its own wait keeps the host from handing the next stage over.
std::optional<Finding> stage_waits(const Record& r) {
  const Case* event = marked_case(r);
  if (!event || !r.headline()) return {};
  std::vector<std::string> names;
  std::string why;
  for (const Stage& s : event->stages) {
    const auto it = s.metrics.find(metric::device_time);
    if (it == s.metrics.end() || it->second.known()) continue;
    names.push_back(fmt::format("'{}'", s.name));
    if (why.empty()) why = it->second.unknown;
  }
  if (names.empty()) return {};
  return Finding{.id = "stage-waits",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("{} cannot be queued ahead: {}", fmt::join(names, ", "), why),
                 .advice =
                     "While it waits, the host submits nothing. Wait where the result is needed, and copy from "
                     "pinned memory.",
                 .evidence = {{"stages", static_cast<double>(names.size())}}};
}

}  // namespace strobe

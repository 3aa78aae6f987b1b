// SPDX-License-Identifier: Apache-2.0
// What timing the stages of a pipeline did to it, and what a stage does that the others must wait for.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/marks_cost.h"
#include "record/metric_names.h"
#include "record/pipeline_ways.h"
#include "record/study_info.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

// The stages as marks read them.
const Case* marked_case(const Record& r) {
  const Case* c = case_of_way(r, pipeline_way::event);
  return c && !c->stages.empty() ? c : nullptr;
}

// What there is of it, and what it takes.
std::string too_few_for_marks(const Record& r, const Comparison& c) {
  if (r.launches.empty())
    return fmt::format("there {} {}, it takes {}", c.pairs == 1 ? "is" : "are", counted(c.pairs, "round", "rounds"),
                       kRoundsForMarks);
  return fmt::format("there {} {} with {}, it takes {} with {}", c.pairs == 1 ? "is" : "are",
                     counted(c.pairs, "launch", "launches"), counted(r.rounds.value_or(0), "round", "rounds"),
                     kLaunchesForMarks, kRoundsForMarks);
}

std::string more_for_marks(const Record& r, const Comparison& c) {
  const bool launched = !r.launches.empty();
  if (launched && (c.pairs < kLaunchesForMarks || r.rounds.value_or(0) < kRoundsForMarks))
    return fmt::format("Take {} launches (--launches) that share {} rounds (--rounds), or more of both.",
                       kLaunchesForMarks, kRoundsForMarks);
  const std::string_view what = launched ? "launches (--launches)" : "rounds (--rounds)";
  const std::uint64_t least = launched ? kLaunchesForMarks : kRoundsForMarks;
  return c.needs ? fmt::format("Take about {} {}, more iterations, or a quieter machine.",
                               format_count(std::max(least, *c.needs)), what)
                 : fmt::format("Take more {}, more iterations, or a quieter machine.", what);
}

}  // namespace

// The headline is undisturbed; what marks read of the stages is longer by what the marks cost.
std::optional<Finding> disturbed(const Record& r) {
  const auto c = std::find_if(r.comparisons.begin(), r.comparisons.end(),
                              [](const Comparison& x) { return x.b == pipeline_way::event; });
  if (compares_candidates(r) || c == r.comparisons.end()) return {};
  const bool enough = enough_for_marks(r, *c);
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
  const std::string seen =
      r.launches.empty() ? counted(c->pairs, "round", "rounds") : counted(c->pairs, "launch", "launches");
  const bool high = c->ratio.high && *c->ratio.high - 1 > kMarksMayCost;
  Finding f{.id = "disturbed", .severity = Severity::note};
  f.message = fmt::format("cannot tell whether marks slow the pipeline by less than 1 %: {}",
                          high ? fmt::format("after {} it may be up to {}", seen, format_percent(*c->ratio.high - 1))
                               : too_few_for_marks(r, *c));
  f.advice = more_for_marks(r, *c);
  f.evidence["rounds"] = static_cast<double>(r.launches.empty() ? c->pairs : r.rounds.value_or(0));
  if (!r.launches.empty()) f.evidence["launches"] = static_cast<double>(c->pairs);
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
  return Finding{
      .id = "stage-waits",
      .about = About::workload,
      .severity = Severity::note,
      .message = fmt::format("{} cannot be queued ahead: {}", fmt::join(names, ", "), why),
      .advice =
          "While it waits, the host submits nothing. Wait where the result is needed, copy from pinned memory, "
          "and launch thousands of kernels as a graph.",
      .evidence = {{"stages", static_cast<double>(names.size())}}};
}

}  // namespace strobe

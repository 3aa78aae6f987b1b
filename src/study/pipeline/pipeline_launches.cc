// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline_launches.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "option/forms.h"
#include "record/marks_cost.h"
#include "study/fresh_launches.h"
#include "study/merge_launches.h"
#include "study/options/tables.h"
#include "study/pipeline/merge_pipeline.h"
#include "study/pipeline/pipeline_options.h"
#include "study/worker.h"

namespace strobe {
namespace {

constexpr nanoseconds kShortestPipeline = 1s;  // of --max-time, a launch
constexpr double kShareOfLimit = 0.8;          // of a launch's share of it; its start takes the rest
constexpr double kPipelineMargin = 0.02;
constexpr nanoseconds kLongestPipeline = 24h;  // a launch that takes longer hangs: iterations may be slow, and many

std::size_t part_of(std::size_t all, std::size_t launches) {
  return std::max<std::size_t>(1, (all + launches - 1) / launches);
}

// A launch has its part of the rounds. Where the time leaves only one, that has all of them.
PipelineStudy launch_of(const PipelineStudy& asked, const LaunchTurn& turn, std::size_t launches) {
  PipelineStudy one = asked;
  one.plan.launch = turn.number - 1;
  one.how.max_time = turn.limit;
  if (turn.of == 1) return one;
  one.how.rounds = part_of(asked.how.rounds, launches);
  if (asked.how.iterations) one.how.iterations = part_of(*asked.how.iterations, launches);
  if (turn.limit) one.how.max_time = to_nanoseconds(kShareOfLimit * to_double(*turn.limit));
  return one;
}

// Fewer rounds than asked for would leave what marks cost open: only --max-time makes it fewer launches.
LaunchesPlan launches_of(const PipelineStudy& asked) {
  LaunchesPlan p;
  p.job = kPipelineJob;
  p.launches = asked.how.launches.value_or(kLaunchesForMarks);
  p.asked = p.launches;
  p.max_time = asked.how.max_time;
  p.shortest = kShortestPipeline;
  p.longest = asked.how.max_time.value_or(kLongestPipeline);
  p.whole = asked.how.max_time.value_or(0ns);
  p.options = [&asked, launches = launches_within(p)](const LaunchTurn& turn) {
    return worker_options(launch_of(asked, turn, launches));
  };
  p.cost = [](const Record& r) { return to_nanoseconds(r.duration_ns); };
  p.too_few = [](const Record& r) { return r.rounds.value_or(0) == 0; };
  p.progress = asked.how.progress;
  p.stop = asked.how.stop;
  return p;
}

}  // namespace

Record pipeline_launches(const PipelineStudy& study) {
  PipelineStudy asked = study;
  if (!asked.how.iterations) asked.how.iterations = asked.plan.iterations;
  const LaunchesPlan plan = launches_of(asked);
  if (launches_within(plan) < 2) return study_pipeline(study);
  const Launched all = launch_all(plan);
  Record r =
      all.launches.size() == 1 ? all.launches.front() : merge_launches(all.launches, kPipelineMargin, merge_pipeline);
  if (r.status == Status::not_converged && all.launches.size() > 1)
    r.status_reason = fmt::format("{} rounds were done in {} launches", r.rounds.value_or(0), all.launches.size());
  describe_options(pipeline_table(), asked.how, r.settings);  // of all of them, not of the first
  describe_launched(all, r);
  return r;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline_answer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "base/intervals.h"
#include "measure/pipeline/schedule.h"
#include "record/marks_cost.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/pipeline_ways.h"

namespace strobe {
namespace {

constexpr double kReplayTolerance = 0.05;  // of the undisturbed latency: a replay further off explains nothing

std::optional<nanoseconds> median(const Stage& s, const char* metric) {
  const auto it = s.metrics.find(metric);
  if (it == s.metrics.end() || !it->second.known()) return std::nullopt;
  return to_nanoseconds(it->second.estimate.value);
}

// Each stage as the replay takes it: handing over as the host's clock saw it between the marks, work as it is by
// itself where that could be measured, else as the marks read it.
std::vector<ScheduledStage> schedule(const Pipeline& p, const Case& event) {
  std::vector<ScheduledStage> stages;
  for (std::size_t i = 0; i < p.stages.size(); ++i) {
    const PipelineStage& s = p.stages[i];
    const Stage& seen = event.stages[i];
    const nanoseconds reading = median(seen, metric::reading).value_or(0ns);
    ScheduledStage& x = stages.emplace_back();
    x.host = s.host;
    x.lane = s.lane.value_or(0);
    x.after = s.after;
    x.awaited = s.awaited;
    x.submit = s.host ? reading : median(seen, metric::submit).value_or(0ns);
    x.work = s.host ? 0ns : median(seen, metric::device_time).value_or(reading);
  }
  return stages;
}

// Nothing of a stage whose work by itself is unknown: marks read the host's part of it, too. A copy from pageable
// memory, which the host makes, would seem to be the device's.
void answer_bounds(const std::vector<ScheduledStage>& stages, Case& event) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i].host && !median(event.stages[i], metric::device_time)) continue;
    const bool host = stages[i].host || stages[i].submit > stages[i].work;
    event.stages[i].bound = host ? stage_word::host : stage_word::device;
  }
}

void answer_gains(const Calibration& calibration, const std::vector<ScheduledStage>& stages, Case& event, Record& r) {
  const Metric* latency = r.find(metric::latency);
  if (!latency) return;
  const auto cost = [&](const char* key) {
    const auto it = calibration.find(key);
    return it == calibration.end() ? 0ns : to_nanoseconds(it->second);
  };
  const ScheduleCosts costs{cost("mark_ns"), cost("device_sync_ns")};
  const double off = to_double(replay(stages, costs)) / latency->estimate.value - 1;
  r.pipeline.replay_error = off;
  if (std::fabs(off) > kReplayTolerance) return;
  for (std::size_t i = 0; i < stages.size(); ++i) event.stages[i].gain = gain_of_tenth(stages, i, costs);
}

std::vector<Interval> lane_of(const Record& r, const std::string& lane, const std::string* stage = nullptr) {
  std::vector<Interval> list;
  for (const TimelineSpan& s : r.timeline) {
    if (s.lane == lane && (!stage || s.name == *stage))
      list.push_back({to_nanoseconds(s.begin_ns), to_nanoseconds(s.end_ns)});
  }
  return unite(std::move(list));
}

// How much of the iteration on the time line a resource idles, and which stage of another one fills most of that.
void answer_idle(Record& r) {
  if (!r.pipeline.timeline_latency_ns) return;
  const double latency = *r.pipeline.timeline_latency_ns;
  std::vector<std::string> lanes{kHostLane};
  for (const TimelineSpan& s : r.timeline) {
    if (std::find(lanes.begin(), lanes.end(), s.lane) == lanes.end()) lanes.push_back(s.lane);
  }
  std::sort(lanes.begin(), lanes.end());
  for (const std::string& lane : lanes) {
    const auto idle = gaps(lane_of(r, lane), {0ns, to_nanoseconds(latency)});
    const nanoseconds all = length_of(idle);
    LaneIdle& found = r.pipeline.idle.emplace_back(LaneIdle{lane, latency > 0 ? to_double(all) / latency : 0});
    nanoseconds most{};
    std::string during;
    for (const TimelineSpan& s : r.timeline) {
      if (s.lane == lane) continue;
      const nanoseconds overlap = length_of(common(idle, lane_of(r, s.lane, &s.name)));
      if (overlap > most) {
        most = overlap;
        during = fmt::format("{} on {}", s.name, s.lane);
      }
    }
    if (2 * most > all) found.during = during;
  }
}

}  // namespace

// The rule of docs/statistics.md: from enough launches and rounds, and the upper end of the interval within 1 %.
void answer_marks(Record& r) {
  r.pipeline.marks.clear();
  r.pipeline.marks_cost.reset();
  r.pipeline.marks_cost_at_most.reset();
  for (const Comparison& c : r.comparisons) {
    if (c.b != pipeline_way::event) continue;
    r.pipeline.marks_cost = c.ratio.value - 1;
    if (c.ratio.high) r.pipeline.marks_cost_at_most = std::max(0.0, *c.ratio.high - 1);
    const bool enough = enough_for_marks(r, c);
    const bool cheap = enough && *c.ratio.high - 1 <= kMarksMayCost;
    const bool dear = enough && *c.ratio.low - 1 > kMarksMayCost;
    r.pipeline.marks = cheap ? marks_word::cheap : dear ? marks_word::dear : marks_word::cannot_tell;
  }
}

void answer_pipeline(const PipelineMeasurement& m, const Pipeline& p, Record& r) {
  answer_marks(r);
  answer_idle(r);
  Case* event = case_of_way(r, pipeline_way::event);
  if (!event || m.way(PipelineWay::event).iterations.empty()) return;
  const auto stages = schedule(p, *event);
  answer_bounds(stages, *event);
  answer_gains(m.calibration, stages, *event, r);
}

}  // namespace strobe

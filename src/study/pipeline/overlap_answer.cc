// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/overlap_answer.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/intervals.h"
#include "base/unit_names.h"
#include "measure/analysis.h"
#include "measure/readings.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/pipeline_ways.h"
#include "stats/comparison.h"
#include "stats/middle.h"
#include "stats/throughput.h"
#include "study/compare/comparisons.h"
#include "study/pipeline/pipeline_cases.h"

namespace strobe {
namespace {

constexpr double kFull = 0.9;        // of the period: what takes this much of it leaves little room for more
constexpr double kShownPeriods = 3;  // on the time line

std::string in_flight_name(std::size_t n) {
  return n == 1 ? "one at a time" : fmt::format("{} in flight", n);
}

// From a rate in 1/ns.
void scale_to_seconds(Estimate& e) {
  constexpr double kNanoseconds = 1e9;
  e.value *= kNanoseconds;
  if (e.low) *e.low *= kNanoseconds;
  if (e.high) *e.high *= kNanoseconds;
}

// From the beginning of an iteration until all of it is done, of those that count in the turn that was looked at.
Metric latency_in_flight(const OverlapView& view, const std::string& refusal) {
  Metric m;
  if (!refusal.empty()) {
    m.unknown = refusal;
    return m;
  }
  std::map<std::uint64_t, Interval> whole;
  for (const OverlapSpan& s : view.spans) {
    if (s.iteration < view.first || s.iteration >= view.first + view.iterations) continue;
    Interval& i = whole.try_emplace(s.iteration, Interval{s.begin, s.end}).first->second;
    i.begin = std::min(i.begin, s.begin);
    i.end = std::max({i.end, s.end, s.device_end});
  }
  std::vector<double> latencies;
  for (const auto& [iteration, i] : whole) latencies.push_back(to_double(i.length()));
  return describe_placed(latencies, 1, view.uncertainty);
}

// Why marks of iterations in flight cannot be put beside the host's times; empty: they can.
std::string view_refusal(const OverlapView& view, double period_ns) {
  return view.iterations == 0 ? "they were not looked at"
                              : timeline_refusal(view.within_reach, view.uncertainty, period_ns);
}

// Of the turns of one kind, as a queue's segments: the first that is done only starts the clock.
Case overlap_case(const PipelineMeasurement& m, std::size_t in_flight) {
  std::vector<stats::Segment> segments;
  std::uint64_t iterations = 0;
  const std::size_t slowest = slowest_lane(m, in_flight == 1);
  for (const OverlapTurn& t : m.overlap) {
    if (t.one_at_a_time != (in_flight == 1)) continue;
    segments.push_back({t.iterations + 1, 0, to_double(t.lengths[slowest])});
    iterations += t.iterations;
  }
  const stats::Throughput t = stats::throughput(segments, 1, {}, 2);
  Case c;
  c.name = in_flight_name(in_flight);
  c.about = in_flight == 1 ? "the next iteration begins when the one before is done; nothing within is timed"
                           : fmt::format(
                                 "the next iteration begins while up to {} before it are not done; nothing "
                                 "within is timed",
                                 in_flight - 1);
  c.settings = {{"in_flight", static_cast<std::int64_t>(in_flight)}};
  Metric &rate = c.metrics[metric::throughput], &period = c.metrics[metric::period];
  rate.unit = unit::items_per_second;
  rate.n = period.n = iterations;
  rate.n_eff = period.n_eff = static_cast<double>(t.segments);
  rate.estimate = from_stats(t.items_per_second);
  scale_to_seconds(rate.estimate);
  period.estimate = from_stats(t.period);
  if (in_flight > 1)
    c.metrics[metric::latency_loaded] = latency_in_flight(m.view, view_refusal(m.view, period.estimate.value));
  return c;
}

double median_or_zero(const Metrics& metrics, const char* name) {
  const auto it = metrics.find(name);
  return it != metrics.end() && it->second.known() ? it->second.estimate.value : 0;
}

// What a lane has to do in an iteration, whoever waits for whom.
struct LaneWork {
  double all = 0, most = 0;
  std::string stage;

  void add(const std::string& name, double time) {
    all += time;
    if (time <= most) return;
    most = time;
    stage = name;
  }
};

// The host submits, and works; a stream works as long as each of its stages takes in isolation, or where nobody knows
// that, as the marks read it.
std::map<std::string, LaneWork> work_of_lanes(const Pipeline& p, const Record& r) {
  std::map<std::string, LaneWork> lanes;
  const Case *naive = case_of_way(r, pipeline_way::naive), *event = case_of_way(r, pipeline_way::event);
  if (!naive || !event) return lanes;
  for (std::size_t i = 0; i < p.stages.size(); ++i) {
    const PipelineStage& s = p.stages[i];
    lanes[kHostLane].add(s.name, median_or_zero(naive->stages.at(i).metrics, metric::reading));
    if (s.host || !s.lane) continue;
    const Metrics& seen = event->stages.at(i).metrics;
    const double alone = median_or_zero(seen, metric::device_time);
    lanes[p.lanes[*s.lane].name].add(s.name, alone > 0 ? alone : median_or_zero(seen, metric::reading));
  }
  return lanes;
}

std::string lane_of_span(const Pipeline& p, const OverlapSpan& s) {
  const auto lane = p.stages[s.stage].lane;
  return lane ? p.lanes[*lane].name : kHostLane;
}

// By lane, within the stretch that counts.
std::map<std::string, double> occupied_shares(const OverlapView& view, const Pipeline& p, bool device) {
  std::map<std::string, std::vector<Interval>> busy;
  for (const OverlapSpan& s : view.spans) {
    busy[kHostLane].push_back({s.begin, s.end});
    if (device && p.stages[s.stage].lane) busy[lane_of_span(p, s)].push_back({s.device_begin, s.device_end});
  }
  std::map<std::string, double> shares;
  const Interval whole{0ns, view.length};
  for (auto& [lane, list] : busy)
    shares[lane] = to_double(length_of(common(unite(std::move(list)), std::vector{whole}))) / to_double(view.length);
  return shares;
}

// A few periods from the middle on, from 0.
void draw_overlap(const OverlapView& view, const Pipeline& p, bool device, OverlapAnswer& answer) {
  const double period = to_double(view.length) / static_cast<double>(view.iterations);
  const double from = period * static_cast<double>(view.iterations / 2);
  answer.timeline_ns = kShownPeriods * period;
  const auto add = [&](const std::string& lane, const OverlapSpan& s, nanoseconds begin, nanoseconds end) {
    TimelineSpan span{lane, p.stages[s.stage].name, to_double(begin) - from, to_double(end) - from, s.iteration};
    span.begin_ns = std::max(span.begin_ns, 0.0);
    span.end_ns = std::min(span.end_ns, answer.timeline_ns);
    if (span.end_ns > span.begin_ns) answer.timeline.push_back(std::move(span));
  };
  for (const OverlapSpan& s : view.spans) add(kHostLane, s, s.begin, s.end);
  for (const OverlapSpan& s : view.spans) {
    if (device && p.stages[s.stage].lane) add(lane_of_span(p, s), s, s.device_begin, s.device_end);
  }
}

}  // namespace

void add_overlap_cases(const PipelineMeasurement& m, std::size_t in_flight, Record& r) {
  if (in_flight == 1) return;
  if (m.overlap.empty()) {
    for (const char* name : {metric::period, metric::throughput})
      r.metrics[name].unknown = fmt::format("no round with {} iterations in flight was completed", in_flight);
    return;
  }
  Case alone = overlap_case(m, 1), several = overlap_case(m, in_flight);
  r.comparisons.push_back(
      to_comparison(alone.name, several.name, metric::period, stats::compare_rounds(overlap_ratios(m))));
  several.difference = r.comparisons.back().ratio.value - 1;
  for (const char* name : {metric::period, metric::throughput, metric::latency_loaded})
    r.metrics[name] = several.metrics.at(name);
  r.cases.push_back(std::move(alone));
  r.cases.push_back(std::move(several));
}

void answer_overlap(const PipelineMeasurement& m, const Pipeline& p, std::size_t in_flight, Record& r) {
  const Metric* period = r.find(metric::period);
  if (m.overlap.empty() || !period || period->estimate.value <= 0) return;
  OverlapAnswer& answer = r.pipeline.overlap.emplace();
  answer.in_flight = in_flight;
  for (const auto& [lane, work] : work_of_lanes(p, r))
    answer.lanes.push_back({lane, work.all / period->estimate.value, {}, work.stage});
  std::stable_sort(answer.lanes.begin(), answer.lanes.end(),
                   [](const LaneUse& a, const LaneUse& b) { return a.work > b.work; });
  if (!answer.lanes.empty() && answer.lanes.front().work >= kFull) {
    answer.bound = overlap_word::lane;
    answer.bottleneck = answer.lanes.front().lane;
  } else {
    answer.bound = overlap_word::in_flight;
  }
  if (m.view.iterations == 0) return;
  const bool device = view_refusal(m.view, period->estimate.value).empty();
  const auto shares = occupied_shares(m.view, p, device);
  for (LaneUse& use : answer.lanes) {
    if (const auto it = shares.find(use.lane); it != shares.end()) use.occupied = it->second;
  }
  draw_overlap(m.view, p, device, answer);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline_cases.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "base/intervals.h"
#include "measure/analysis.h"
#include "measure/readings.h"
#include "record/metric_names.h"
#include "stats/comparison.h"
#include "stats/middle.h"
#include "study/compare/comparisons.h"

namespace strobe {
namespace {

// A column over all iterations of a way.
template <class Column>
std::vector<double> column(const WayIterations& t, Column&& of) {
  std::vector<double> values;
  for (const Iteration& it : t.iterations) values.push_back(to_double(of(it)));
  return values;
}

template <class Column>
std::vector<double> column(const WayIterations& t, std::size_t stage, std::size_t width, Column&& of) {
  std::vector<double> values;
  for (std::size_t n = 0; n < t.iterations.size(); ++n) values.push_back(to_double(of(t.row(n, width)[stage])));
  return values;
}

// What the stage is, how often, where, and what it waits for.
std::string about(const Pipeline& p, const PipelineStage& s) {
  std::string text = s.repeat > 1 ? fmt::format("{} × {}", s.repeat, s.about) : s.about;
  if (s.lane && p.lanes.size() > 1) text += fmt::format(", stream {}", p.lanes[*s.lane].name);
  for (const std::size_t k : s.after) text += fmt::format(", after {}", p.stages[k].name);
  return text;
}

class CaseMaker {
 public:
  CaseMaker(const PipelineMeasurement& m, const Pipeline& p)
      : m_(m), p_(p), refusal_(timeline_refusal(m, p)), tick_(to_double(p.device->tick())) {}

  Case make(PipelineWay way) const {
    const WayIterations& t = m_.way(way);
    Case c;
    c.name = name(way);
    c.about = describe(way);
    const bool waits = way == PipelineWay::sync || way == PipelineWay::event_wait;
    c.settings = {{"clock", std::string(has_marks(way) ? "device" : "host")},
                  {"wait", std::string(waits ? "device" : "none")}};
    c.metrics[metric::latency] = describe_readings(column(t, [](const Iteration& i) { return i.done; }), 1);
    if (p_.asynchronous())
      c.metrics[metric::submit] = describe_readings(column(t, [](const Iteration& i) { return i.submitted; }), 1);
    for (std::size_t i = 0; way != PipelineWay::undisturbed && i < p_.stages.size(); ++i)
      c.stages.push_back(stage(way, t, i));
    return c;
  }

 private:
  Stage stage(PipelineWay way, const WayIterations& t, std::size_t i) const {
    const PipelineStage& s = p_.stages[i];
    const std::size_t width = p_.stages.size();
    const bool marks = has_marks(way) && s.lane;
    Stage stage{s.name, {}, about(p_, s)};
    stage.metrics[metric::reading] =
        describe_readings(column(t, i, width, [](const StageTimes& x) { return x.reading; }), marks ? tick_ : 1);
    if (way != PipelineWay::event || !marks || s.host) return stage;
    stage.metrics[metric::submit] =
        describe_readings(column(t, i, width, [](const StageTimes& x) { return x.end - x.begin; }), 1);
    Metric waiting =
        describe_placed(column(t, i, width, [](const StageTimes& x) { return std::max(0ns, x.device_begin - x.end); }),
                        tick_, t.uncertainty);
    if (!refusal_.empty()) {
      waiting = {};
      waiting.unknown = refusal_;
    }
    stage.metrics[metric::waiting] = std::move(waiting);
    if (i < m_.work.size()) {
      Metric work = describe_readings(m_.work[i].device_time, tick_);
      if (!m_.work[i].why_not.empty()) work.unknown = m_.work[i].why_not;
      stage.metrics[metric::device_time] = std::move(work);
    }
    return stage;
  }

  const PipelineMeasurement& m_;
  const Pipeline& p_;
  std::string refusal_;
  double tick_;
};

Comparison compare(const PipelineMeasurement& m, PipelineWay way) {
  return to_comparison(std::string(name(PipelineWay::undisturbed)), std::string(name(way)), metric::latency,
                       stats::compare_rounds(log_ratios(m, way)));
}

Metric headline(const PipelineMeasurement& m) {
  SeriesData series;
  for (const Iteration& it : m.way(PipelineWay::undisturbed).iterations) {
    series.values.push_back(to_double(it.latency()));
    series.at_seconds.push_back(to_seconds(it.begin - m.begun));
    series.round.push_back(it.round);
  }
  Metric metric = describe_series(series, {});
  metric.facts.warmup_end_seconds = to_seconds(m.warm);
  return metric;
}

// What the host and each lane did in one iteration.
std::vector<Interval> busy(std::span<const StageTimes> row, bool device) {
  std::vector<Interval> list;
  for (const StageTimes& t : row)
    list.push_back(device ? Interval{t.device_begin, t.device_end} : Interval{t.begin, t.end});
  return list;
}

}  // namespace

std::string timeline_refusal(const PipelineMeasurement& m, const Pipeline& p) {
  const WayIterations& event = m.way(PipelineWay::event);
  if (!p.asynchronous() || event.iterations.empty()) return {};
  std::vector<double> latencies = column(event, [](const Iteration& i) { return i.done; });
  return timeline_refusal(event.within_reach, event.uncertainty, stats::middle_of(std::move(latencies)));
}

void add_pipeline_cases(const PipelineMeasurement& m, const Pipeline& p, Record& r) {
  const CaseMaker maker(m, p);
  for (const PipelineWay way : ways_on(*p.device)) {
    Case c = maker.make(way);
    if (way != PipelineWay::undisturbed && m.rounds > 0) {
      r.comparisons.push_back(compare(m, way));
      c.difference = r.comparisons.back().ratio.value - 1;
    }
    r.cases.push_back(std::move(c));
  }
  r.metrics[metric::latency] = headline(m);
  Metrics& undisturbed = r.cases.front().metrics;
  undisturbed[metric::latency] = r.metrics[metric::latency];  // one figure, one interval
  undisturbed[metric::latency].curve.clear();
  undisturbed[metric::latency].histogram = {};
  if (undisturbed.contains(metric::submit)) r.metrics[metric::submit] = undisturbed.at(metric::submit);
}

void add_timeline(const PipelineMeasurement& m, const Pipeline& p, Record& r) {
  const WayIterations& event = m.way(PipelineWay::event);
  const std::size_t width = p.stages.size(), n = event.iterations.size();
  if (n == 0) return;
  const std::string refusal = timeline_refusal(m, p);
  const bool device = p.asynchronous() && refusal.empty();
  if (p.asynchronous()) {
    std::vector<double> unions;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<Interval> all = busy(event.row(k, width), false), marks = busy(event.row(k, width), true);
      all.insert(all.end(), marks.begin(), marks.end());
      unions.push_back(to_double(length_of(unite(std::move(all)))));
    }
    Metric& metric = r.metrics[metric::union_time] =
        describe_placed(unions, to_double(p.device->tick()), event.uncertainty);
    if (!refusal.empty()) {
      metric = {};
      metric.unknown = refusal;
    }
  }
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n / 2), order.end(),
                   [&](std::size_t a, std::size_t b) { return event.iterations[a].done < event.iterations[b].done; });
  const auto row = event.row(order[n / 2], width);
  const auto add = [&](const std::string& lane, const std::string& stage, nanoseconds begin, nanoseconds end) {
    if (end > begin) r.timeline.push_back({lane, stage, to_double(begin), to_double(end)});
  };
  for (std::size_t i = 0; i < width; ++i) add(kHostLane, p.stages[i].name, row[i].begin, row[i].end);
  for (std::size_t i = 0; device && i < width; ++i) {
    if (p.stages[i].lane)
      add(p.lanes[*p.stages[i].lane].name, p.stages[i].name, row[i].device_begin, row[i].device_end);
  }
  r.pipeline.timeline_latency_ns = to_double(event.iterations[order[n / 2]].done);
  if (device) r.pipeline.timeline_uncertainty_ns = to_double(event.uncertainty);
}

}  // namespace strobe

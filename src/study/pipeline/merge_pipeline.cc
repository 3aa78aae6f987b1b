// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/merge_pipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "measure/pipeline/pipeline_timer.h"
#include "record/metric_names.h"
#include "record/pipeline_ways.h"
#include "stats/comparison.h"
#include "study/compare/comparisons.h"
#include "study/merge_metrics.h"
#include "study/pipeline/pipeline_answer.h"

namespace strobe {
namespace {

double undisturbed_latency(const Record& r) {
  const Metric* m = r.find(metric::latency);
  return m ? m->facts.median_of_rounds.value_or(m->estimate.value) : std::numeric_limits<double>::infinity();
}

const Record& typical_launch(const std::vector<Record>& launches, const Record& whole) {
  const Metric* all = whole.find(metric::latency);
  if (!all) return launches.front();
  const auto off = [&](const Record& r) { return std::fabs(undisturbed_latency(r) - all->estimate.value); };
  return *std::min_element(launches.begin(), launches.end(),
                           [&](const Record& a, const Record& b) { return off(a) < off(b); });
}

const Stage* stage_in(const Record& r, const std::string& way, std::size_t i) {
  const Case* c = case_of_way(r, way);
  return c && i < c->stages.size() ? &c->stages[i] : nullptr;
}

// All launches ran the same plan: their stages differ in what was read only.
void merge_stage(const std::vector<Record>& launches, const Record& typical, const std::string& way, std::size_t i,
                 Stage& whole) {
  std::vector<const Metrics*> metrics;
  for (const Record& r : launches) {
    const Stage* s = stage_in(r, way, i);
    if (!s) continue;
    metrics.push_back(&s->metrics);
    if (s->bound != whole.bound) whole.bound.clear();
  }
  whole.metrics = merge_metrics(metrics);
  const Stage* s = stage_in(typical, way, i);
  whole.gain = s ? s->gain : std::nullopt;
}

// How a way compares with another one: one ratio of each launch that has a complete round.
void merge_comparison(const std::vector<Record>& launches, Case& way, Record& whole) {
  way.difference.reset();
  std::vector<double> logs;
  const Comparison* like = nullptr;
  for (const Record& r : launches) {
    for (const Comparison& c : r.comparisons) {
      if (c.b != way.name) continue;
      like = &c;
      logs.push_back(std::log(c.ratio.value));
    }
  }
  if (!like) return;
  whole.comparisons.push_back(to_comparison(like->a, way.name, like->metric, stats::compare_pairs(logs)));
  way.difference = whole.comparisons.back().ratio.value - 1;
}

// What bounds iterations in flight is said where all launches agree.
void merge_bound(const std::vector<Record>& launches, Record& whole) {
  if (!whole.pipeline.overlap) return;
  OverlapAnswer& answer = *whole.pipeline.overlap;
  for (const Record& r : launches) {
    const auto& one = r.pipeline.overlap;
    if (one && one->bound == answer.bound && one->bottleneck == answer.bottleneck) continue;
    answer.bound.clear();
    answer.bottleneck.clear();
  }
}

}  // namespace

void merge_pipeline(const std::vector<Record>& launches, Record& whole) {
  const Record& typical = typical_launch(launches, whole);
  whole.rounds = 0;
  for (const Record& r : launches) *whole.rounds += r.rounds.value_or(0);
  whole.comparisons.clear();
  for (Case& way : whole.cases) {
    for (std::size_t i = 0; i < way.stages.size(); ++i) merge_stage(launches, typical, way.name, i, way.stages[i]);
    merge_comparison(launches, way, whole);
  }
  whole.timeline = typical.timeline;
  whole.pipeline = typical.pipeline;
  merge_bound(launches, whole);
  answer_marks(whole);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The fields of metrics, and what all lists of fields have in common (record/field_lists.h says what they are for).
#pragma once

#include <concepts>
#include <type_traits>

#include <strobe/metric.h>

#include "record/metric_info.h"

namespace strobe::record_fields {

// T or const T: a list serves those who read a struct and those who fill it.
template <class T, class Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

void fields(auto& visit, Of<Estimate> auto& e) {
  visit("value", e.value);
  visit.or_null("low", e.low);
  visit.or_null("high", e.high);
  if (!visit.leaves_out(e.valid)) visit("valid", e.valid);
  visit("why", e.why);
}

void fields(auto& visit, Of<Percentile> auto& p) {
  visit("p", p.p);
  visit.merged("value", p.estimate);
  visit("needs", p.needs);
}

void fields(auto& visit, Of<Outliers> auto& o) {
  visit("count", o.count);
  visit("share", o.share);
  visit("time_share", o.time_share);
  visit("largest", o.largest);
}

void fields(auto& visit, Of<LevelShift> auto& s) {
  visit("at_s", s.at_seconds);
  visit("ratio", s.ratio);
}

void fields(auto& visit, Of<Mode> auto& m) {
  visit("value", m.value);
  visit("share", m.share);
}

void fields(auto& visit, Of<Facts> auto& f) {
  visit("warmup_end_s", f.warmup_end_seconds);
  visit("warmup_state", f.warmup_state);
  visit("warmup_bias", f.warmup_bias);
  visit("median_of_rounds", f.median_of_rounds);
  visit("drift", f.drift);
  visit("drift_per_minute", f.drift_per_minute);
  if (!visit.leaves_out(!f.drift)) visit("drifting", f.drifting);
  visit("shifts", f.shifts);
  if (!visit.leaves_out(!f.regime_switching)) visit("regime_switching", f.regime_switching);
  visit("modes", f.modes);
  if (!visit.leaves_out(f.modes.empty())) visit("modes_ordered", f.modes_ordered);
  visit("lag1", f.lag1);
  visit("tick", f.tick);
  visit("rounds", f.rounds);
  visit("request_spread", f.request_spread);
  visit("round_spread", f.round_spread);
  visit("tau", f.n_eff_tau);
  visit("coupling", f.coupling);
  if (!visit.leaves_out(!f.coupled)) visit("coupled", f.coupled);
}

void fields(auto& visit, Of<CurveBucket> auto& b) {
  visit("t", b.at_seconds);
  visit("low", b.low);
  visit("median", b.median);
  visit("high", b.high);
  visit("n", b.n);
}

void fields(auto& visit, Of<Histogram> auto& h) {
  visit("edges", h.edges);
  visit("counts", h.counts);
}

void fields(auto& visit, Of<LaunchLevel> auto& l) {
  visit("value", l.value);
  visit("launches", l.launches);
  visit("stream", l.stream);
}

void fields(auto& visit, Of<Standing> auto& s) {
  visit("word", s.word);
  visit("half_width", s.half_width);
  visit("cause", s.cause);
}

// What is sampled has a median; a rate and a gauge are one value, whose estimate is among the other fields.
void fields(auto& visit, Of<Metric> auto& m, MetricKind kind) {
  visit("unknown", m.unknown);
  if (visit.leaves_out(!m.known())) return;
  visit("unit", m.unit);
  visit("n", m.n);
  visit("n_eff", m.n_eff);
  if (kind == MetricKind::sample)
    visit("median", m.estimate);
  else
    fields(visit, m.estimate);
  visit("mean", m.mean);
  visit("levels", m.levels);
  visit("trend", m.trend);
  visit("level_half_width", m.level_half_width);
  visit("launch_spread", m.launch_spread);
  visit("verdict", m.verdict);
  if (visit.leaves_out(m.max == 0)) return;  // a rate over the whole window: it has no distribution
  visit("stddev", m.stddev);
  visit("min", m.min);
  visit("max", m.max);
  visit("outliers", m.outliers);
  visit("percentiles", m.percentiles);
  visit("facts", m.facts);
  visit("curve", m.curve);
  visit("histogram", m.histogram);
}

}  // namespace strobe::record_fields

// SPDX-License-Identifier: Apache-2.0
// The fields of what studies answer (record/field_lists.h says what they are for).
#pragma once

#include <strobe/answers.h>

#include "record/metric_fields.h"

namespace strobe::record_fields {

void fields(auto& visit, Of<Comparison> auto& c) {
  visit("a", c.a);
  visit("b", c.b);
  visit("metric", c.metric);
  visit("ratio", c.ratio);
  visit("outcome", c.outcome);
  visit("pairs", c.pairs);
  visit("needs", c.needs);
  visit("percentile", c.percentile);
  visit("detectable", c.detectable);
  if (!visit.leaves_out(!c.noise_floor)) visit("noise_floor", c.noise_floor);
}

void fields(auto& visit, Of<FailOn> auto& f) {
  visit("condition", f.condition);
  visit("candidate", f.candidate);
  visit("metric", f.metric);
  visit("outcome", f.outcome);
  visit("why", f.why);
}

void fields(auto& visit, Of<TimelineSpan> auto& t) {
  visit.always("lane", t.lane);
  visit.always("name", t.name);
  visit("begin_ns", t.begin_ns);
  visit("end_ns", t.end_ns);
  visit("iteration", t.iteration);
}

void fields(auto& visit, Of<LaneUse> auto& u) {
  visit("lane", u.lane);
  visit("work", u.work);
  visit("occupied", u.occupied);
  visit("stage", u.stage);
}

void fields(auto& visit, Of<OverlapAnswer> auto& o) {
  visit("in_flight", o.in_flight);
  visit("bound", o.bound);
  visit("bottleneck", o.bottleneck);
  visit("lanes", o.lanes);
  visit("timeline", o.timeline);
  visit("timeline_ns", o.timeline_ns);
}

void fields(auto& visit, Of<LaneIdle> auto& i) {
  visit("lane", i.lane);
  visit("share", i.share);
  visit("during", i.during);
}

void fields(auto& visit, Of<SearchAnswer> auto& a) {
  visit("best_batch", a.best_batch);
  visit("fastest_batch", a.fastest_batch);
  visit("batch_trials", a.batch_trials);
  visit("wave", a.wave);
  visit("most_items_per_second", a.most_items_per_second);
  visit("half_rate_batch", a.half_rate_batch);
  visit("fixed_batch", a.fixed_batch);
  visit("fastest", a.fastest);
  visit("streams", a.streams);
  visit("in_flight", a.in_flight);
  visit("memory_limit_bytes", a.memory_limit_bytes);
  visit("largest_batch", a.largest_batch);
  visit("largest_state", a.largest_state);
  visit("predicted_largest", a.predicted_largest);
  visit("fails_at", a.fails_at);
  visit("fails_because", a.fails_because);
  visit("reserve_bytes", a.reserve_bytes);
  visit("bound", a.bound);
  visit("bound_point", a.bound_point);
  visit("bound_batch", a.bound_batch);
  visit("bound_undecided", a.bound_undecided);
  visit("bound_undecided_rate", a.bound_undecided_rate);
  visit("bound_needs", a.bound_needs);
  visit("bound_stopped_by", a.bound_stopped_by);
}

void fields(auto& visit, Of<PipelineAnswer> auto& p) {
  visit("marks", p.marks);
  visit("marks_cost", p.marks_cost);
  visit("marks_cost_at_most", p.marks_cost_at_most);
  visit("timeline_latency_ns", p.timeline_latency_ns);
  visit("timeline_uncertainty_ns", p.timeline_uncertainty_ns);
  visit("replay_error", p.replay_error);
  visit("idle", p.idle);
  visit("iterations_a_turn", p.iterations_a_turn);
  visit("overlap", p.overlap);
}

void fields(auto& visit, Of<LayerResult> auto& l) {
  visit("name", l.name);
  visit("type", l.type);
  visit("where", l.where);
  visit("calls", l.calls);
  visit("kernels", l.kernels);
  visit("share", l.share);
  visit("time", l.time);
  visit("launches", l.launches);
}

void fields(auto& visit, Of<KernelResult> auto& k) {
  visit("name", k.name);
  visit("calls", k.calls);
  visit("share", k.share);
  visit("time", k.time);
}

void fields(auto& visit, Of<ActivityShares> auto& a) {
  visit("busy", a.busy);
  visit("starved", a.starved);
  visit("drained", a.drained);
  visit("pipeline", a.pipeline);
  visit("both", a.both);
  visit("host_only", a.host_only);
  visit("device_only", a.device_only);
  visit("neither", a.neither);
  visit("concurrency", a.concurrency);
  visit("copies_beside_kernels", a.copies_beside_kernels);
  visit("calls", a.calls);
}

void fields(auto& visit, Of<TraceQuality> auto& t) {
  visit("tracer", t.tracer);
  visit("held_by", t.held_by);
  visit("records", t.records);
  visit("lost", t.lost);
  visit("early", t.early);
  visit("earliest_ns", t.earliest_ns);
  visit("clock_ns", t.clock_ns);
  visit("excess_ns", t.excess_ns);
  visit("differing_requests", t.differing_requests);
  visit("first_difference", t.first_difference);
}

void fields(auto& visit, Of<LayerDifference> auto& d) {
  visit("name", d.name);
  visit("type", d.type);
  visit("before_ns", d.before_ns);
  visit("after_ns", d.after_ns);
  visit("ratio", d.ratio);
  visit("outcome", d.outcome);
}

void fields(auto& visit, Of<ProfileAnswer> auto& p) {
  visit("requests", p.requests);
  visit("profiler", p.profiler);
  visit("slowdown", p.slowdown);
  visit("layers", p.layers);
  visit("why_no_layers", p.why_no_layers);
  visit("unattributed", p.unattributed);
  visit("outside", p.outside);
  visit("kernels", p.kernels);
  visit("activity", p.activity);
  visit("why_no_trace", p.why_no_trace);
  visit("trace", p.trace);
  visit("threads_busy", p.threads_busy);
  visit("differences", p.differences);
}

void fields(auto& visit, Of<EnergyWindowResult> auto& w) {
  visit("launch", w.launch);
  visit("length_ns", w.length_ns);
  visit("joules", w.joules);
  visit("requests", w.requests);
}

void fields(auto& visit, Of<EnergyAnswer> auto& e) {
  visit("source", e.source);
  visit("scope", e.scope);
  visit("windows", e.windows);
  visit("idle_before_w", e.idle_before_w);
  visit("idle_after_w", e.idle_after_w);
  visit("step_ns", e.step_ns);
  visit("read_ns", e.read_ns);
  visit("error", e.error);
  visit("took_ns", e.took_ns);
}

// Memory

void fields(auto& visit, Of<MemoryPhase> auto& p) {
  visit("name", p.name);
  visit("begin_ns", p.begin_ns);
  visit("end_ns", p.end_ns);
  visit("requests", p.requests);
  visit("peak", p.peak);
  visit("end", p.end);
}

void fields(auto& visit, Of<MemoryPoint> auto& p) {
  visit("at_ns", p.at_ns);
  visit("bytes", p.bytes);
}

void fields(auto& visit, Of<MemoryGrowth> auto& g) {
  visit("per_request", g.per_request);
  visit("requests", g.requests);
  visit("outcome", g.outcome);
}

void fields(auto& visit, Of<MemoryPlace> auto& p) {
  visit("name", p.name);
  visit("counted", p.counted);
  visit("before", p.before);
  visit("phases", p.phases);
  visit("growth", p.growth);
  visit("curve", p.curve);
}

void fields(auto& visit, Of<MemoryPart> auto& p) {
  visit("name", p.name);
  visit("bytes", p.bytes);
}

void fields(auto& visit, Of<MemoryAllocator> auto& a) {
  visit("name", a.name);
  visit("in_use", a.in_use);
  visit("reserved", a.reserved);
  visit("peak", a.peak);
  visit("fragmentation", a.fragmentation);
}

void fields(auto& visit, Of<MemoryEvent> auto& e) {
  visit("at_ns", e.at_ns);
  visit("bytes", e.bytes);
  visit("phase", e.phase);
  visit("cause", e.cause);
  visit("layer", e.layer);
}

void fields(auto& visit, Of<MemoryFit> auto& f) {
  visit("limit_bytes", f.limit_bytes);
  visit("margin_bytes", f.margin_bytes);
  visit("outcome", f.outcome);
  visit("requests_left", f.requests_left);
}

void fields(auto& visit, Of<MemoryAnswer> auto& m) {
  visit("requests", m.requests);
  visit("places", m.places);
  visit("parts", m.parts);
  visit("allocator", m.allocator);
  visit("why_no_allocator", m.why_no_allocator);
  visit("recorded", m.recorded);
  visit("events", m.events);
  visit("peak_causes", m.peak_causes);
  visit("recorder", m.recorder);
  visit("why_no_events", m.why_no_events);
  visit("fit", m.fit);
}

}  // namespace strobe::record_fields

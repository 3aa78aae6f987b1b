// SPDX-License-Identifier: Apache-2.0
// The fields of a record: one list per struct, of the name in JSON and the member. Whoever visits the lists writes,
// reads, mends or checks; a field that is in its list is in all of them. Only for the files of this folder.
//
// A visitor is called with name and member. Beside that it has
//   always(name, member)    written although it is empty
//   or_null(name, member)   an absent optional is written as null: a side of an interval that is open
//   merged(name, member)    an optional struct whose fields are among the others; `name` tells whether it is there
//   leaves_out(condition)   true of a writer for which the condition holds: what follows would say nothing
#pragma once

#include <concepts>
#include <type_traits>

#include <strobe/record.h>

#include "record/metric_info.h"

namespace strobe::record_fields {

// T or const T: a list serves those who read a struct and those who fill it.
template <class T, class Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

// Figures and metrics

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

// What was run, and on what

void fields(auto& visit, Of<TensorInfo> auto& t) {
  visit.always("name", t.name);
  visit.always("type", t.type);
  visit.always("shape", t.shape);
  visit("source", t.source);
}

void fields(auto& visit, Of<ModelFile> auto& f) {
  visit("name", f.name);
  visit("sha256", f.sha256);
}

void fields(auto& visit, Of<ModelInfo> auto& m) {
  visit("path", m.path);
  visit("name", m.name);
  visit("sha256", m.sha256);
  visit("runtime", m.runtime);
  visit("runtime_version", m.runtime_version);
  visit("inputs", m.inputs);
  visit("outputs", m.outputs);
  visit("parameters", m.parameters);
  visit("facts", m.facts);
  visit("files", m.files);
}

void fields(auto& visit, Of<DeviceInfo> auto& d) {
  visit("kind", d.kind);
  visit("name", d.name);
  visit("asynchronous", d.asynchronous);
  visit("facts", d.facts);
  visit("calibration", d.calibration);
}

void fields(auto& visit, Of<BuildInfo> auto& b) {
  visit("version", b.version);
  visit("commit", b.commit);
  visit("build", b.build);
  visit("compiler", b.compiler);
}

// What was seen

void fields(auto& visit, Of<Startup> auto& s) {
  visit("load_ns", s.load_ns);
  visit("first_ns", s.first_ns);
  visit("warmup_requests", s.warmup_requests);
  visit("warmup_ns", s.warmup_ns);
}

void fields(auto& visit, Of<GateObservation> auto& g) {
  visit("used", g.used);
  visit("why_not", g.why_not);
  if (!visit.leaves_out(g.voided == 0)) visit("voided", g.voided);
}

void fields(auto& visit, Of<OutputObservation> auto& o) {
  visit("finite", o.finite);
  visit("repeatable", o.repeatable);
  visit("distinct", o.distinct);
  visit("worst_difference", o.worst_difference);
  visit("detail", o.detail);
  visit("lasting", o.lasting);
  visit("late_difference", o.late_difference);
}

void fields(auto& visit, Of<Disturbances> auto& d) {
  visit("watched_ns", d.watched_ns);
  visit("loads", d.loads);
  visit("libraries", d.libraries);
  visit("loading_share", d.loading_share);
  visit("major_faults", d.major_faults);
  visit("switches", d.switches);
  visit("preemptions", d.preemptions);
  visit("waited_ns", d.waited_ns);
  visit("throttled_ns", d.throttled_ns);
}

void fields(auto& visit, Of<WorkObservation> auto& w) {
  visit("nodes", w.nodes);
  visit("cpu_nodes", w.cpu_nodes);
  visit("inserted_copies", w.inserted_copies);
  visit("flops", w.flops);
  visit("least_bytes", w.least_bytes);
  visit("uncounted", w.uncounted);
}

void fields(auto& visit, Of<StreamObservation> auto& s) {
  visit("pause_ns", s.pause_ns);
  visit("level", s.level);
  visit("fast_pause_ns", s.fast_pause_ns);
  visit("slow_pause_ns", s.slow_pause_ns);
  visit("fast", s.fast);
  visit("slow", s.slow);
}

void fields(auto& visit, Of<CpuObservation> auto& c) {
  visit("pinned", c.pinned);
  visit("moves", c.moves);
  visit("passes", c.passes);
}

void fields(auto& visit, Of<Observations> auto& o) {
  visit("gate", o.gate);
  visit("outputs", o.outputs);
  visit("escaped_ns", o.escaped_ns);
  visit("allocations_per_request", o.allocations_per_request);
  visit("kernels_per_request", o.kernels_per_request);
  visit("fallback_nodes", o.fallback_nodes);
  visit("work", o.work);
  visit("copied_in_bytes", o.copied_in_bytes);
  visit("copied_out_bytes", o.copied_out_bytes);
  visit("input_sets", o.input_sets);
  visit("input_bytes", o.input_bytes);
  visit("input_zero_share", o.input_zero_share);
  visit("input_repeated_share", o.input_repeated_share);
  visit("input_subnormal_share", o.input_subnormal_share);
  visit("input_not_finite_share", o.input_not_finite_share);
  visit("other_input_ratio", o.other_input_ratio);
  visit("new_input_ratio", o.new_input_ratio);
  visit("clocks_per_pass", o.clocks_per_pass);
  visit("disturbances", o.disturbances);
  visit("cpus", o.cpus);
  visit("stream", o.stream);
  visit("other_devices", o.other_devices);
  visit("host_numa_node", o.host_numa_node);
  visit("requests_per_block", o.requests_per_block);
  visit("timeline_uncertainty_ns", o.timeline_uncertainty_ns);
}

void fields(auto& visit, Of<Telemetry> auto& t) {
  visit("at_s", t.at_seconds);
  visit("columns", t.columns);
  visit("facts", t.facts);
}

void fields(auto& visit, Of<Finding> auto& f) {
  visit.always("id", f.id);
  visit("about", f.about);
  visit("severity", f.severity);
  visit.always("message", f.message);
  visit.always("advice", f.advice);
  visit("evidence", f.evidence);
  visit("metric", f.metric);
}

// What a study with several results adds

void fields(auto& visit, Of<Stage> auto& s) {
  visit("name", s.name);
  visit("about", s.about);
  visit("bound", s.bound);
  visit("gain", s.gain);
  visit("metrics", s.metrics);
}

void fields(auto& visit, Of<TrialResult> auto& t) {
  visit("first_ns", t.first_ns);
  visit("bound", t.bound);
  visit("late_share", t.late_share);
  visit("requests", t.requests);
  visit("data_bytes", t.data_bytes);
  visit("memory_available", t.memory_available);
  visit("cause", t.cause);
}

void fields(auto& visit, Of<CheckResult> auto& c) {
  visit("expected", c.expected);
  visit("got", c.got);
  visit("truth_ns", c.truth_ns);
}

void fields(auto& visit, Of<PowerReading> auto& p) {
  visit("device_mhz", p.device_mhz);
  visit("pstate", p.pstate);
  visit("cpu_mhz", p.cpu_mhz);
}

void fields(auto& visit, Of<IdleResult> auto& i) {
  visit("pause_ns", i.pause_ns);
  if (!visit.leaves_out(!i.random)) visit("random", i.random);
  visit("metrics", i.metrics);
  visit("difference", i.difference);
  visit("before", i.before);
  visit("after", i.after);
}

void fields(auto& visit, Of<FullQueue> auto& q) {
  visit.always("after", q.after);
  visit.always("in_flight", q.in_flight);
  visit.always("free_ns", q.free_ns);
  visit.always("full_ns", q.full_ns);
}

void fields(auto& visit, Of<Case> auto& c) {
  visit("name", c.name);
  visit("model", c.model);
  visit("device", c.device);
  visit("version", c.version);
  visit("started_at", c.started_at);
  visit("launches", c.launches);
  visit("settings", c.settings);
  visit("claims", c.claims);
  visit("statistic", c.statistic);
  visit("group", c.group);
  visit("prints", c.prints);
  visit("queue", c.queue);
  visit("about", c.about);
  visit("error", c.error);
  visit("difference", c.difference);
  visit("outcome", c.outcome);
  visit("trial", c.trial);
  visit("check", c.check);
  visit("metrics", c.metrics);
  visit("stages", c.stages);
  visit("idle", c.idle);
  visit("findings", c.findings);
}

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
  visit("threads_busy", p.threads_busy);
  visit("differences", p.differences);
}

void fields(auto& visit, Of<Record> auto& r) {
  visit("verb", r.verb);
  visit("strobe", r.strobe);
  visit("command", r.command);
  visit("started_at", r.started_at);
  visit("duration_ns", r.duration_ns);
  visit("status", r.status);
  visit("status_reason", r.status_reason);
  visit("host", r.host);
  visit("device", r.device);
  visit("model", r.model);
  visit("settings", r.settings);
  visit("startup", r.startup);
  visit("window_ns", r.window_ns);
  visit.always("metrics", r.metrics);
  visit("observations", r.observations);
  visit("telemetry", r.telemetry);
  visit("cases", r.cases);
  visit("comparisons", r.comparisons);
  visit("fail_on", r.fail_on);
  visit("launches", r.launches);
  if (!visit.leaves_out(!r.one_process)) visit("one_process", r.one_process);
  visit("timeline", r.timeline);
  visit("idle", r.idle);
  visit("answer", r.answer);
  visit("pipeline", r.pipeline);
  if (!visit.leaves_out(r.profile.requests == 0 && r.profile.differences.empty())) visit("profile", r.profile);
  visit("rounds", r.rounds);
  visit("noise_floor", r.noise_floor);
  if (!visit.leaves_out(!r.failed)) visit("failed", r.failed);
  visit("undecided", r.undecided);
  visit("unwritten", r.unwritten);
  visit.always("findings", r.findings);
  visit("verdict", r.verdict);
}

}  // namespace strobe::record_fields

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

#include <strobe/record.h>

#include "record/answer_fields.h"
#include "record/metric_fields.h"

namespace strobe::record_fields {

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
  if (!visit.leaves_out(!o.may_vary)) visit("may_vary", o.may_vary);
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
  if (!visit.leaves_out(r.energy.source.empty())) visit("energy", r.energy);
  if (!visit.leaves_out(r.memory.places.empty())) visit("memory", r.memory);
  visit("rounds", r.rounds);
  visit("noise_floor", r.noise_floor);
  if (!visit.leaves_out(!r.failed)) visit("failed", r.failed);
  visit("undecided", r.undecided);
  visit("unwritten", r.unwritten);
  visit.always("findings", r.findings);
  visit("verdict", r.verdict);
}

}  // namespace strobe::record_fields

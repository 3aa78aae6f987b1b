// SPDX-License-Identifier: Apache-2.0
#include "study/library/plans.h"

#include <algorithm>

#include <fmt/format.h>

#include <strobe/error.h>

#include "device/device.h"
#include "host/file.h"
#include "measure/launch_length.h"
#include "option/forms.h"
#include "record/foreign_times.h"
#include "record/metric_names.h"
#include "study/method_table.h"
#include "study/options/efforts.h"
#include "study/options/tables.h"
#include "study/search/trial_here.h"
#include "workload/callable.h"
#include "workload/model_table.h"

namespace strobe {
namespace {

[[noreturn]] void refuse(std::string what, std::string cause, std::string advice = {}) {
  throw Error(ErrorCode::usage, std::move(what), std::move(cause), std::move(advice));
}

// What would be more than that pass, or another process.
void check_one_pass(const Options& o) {
  if (o.pass.empty()) return;
  const std::pair<bool, const char*> not_with[]{{o.launches.value_or(1) > 1, "--launches"},
                                                {o.min_time.has_value(), "--min-time"},
                                                {o.max_time.has_value(), "--max-time"},
                                                {o.copies, "--copies"},
                                                {o.io != Io::none, "--io"},
                                                {o.cache != Cache::hot, "--cache cold"},
                                                {!o.idle.empty(), "--idle"},
                                                {o.flops.has_value(), "--flops"}};
  for (const auto& [given, name] : not_with) {
    if (given)
      refuse(fmt::format("cannot use {} with --pass", name), "it measures one pass in one process", "Leave it out.");
  }
}

void check_measuring(const Options& o) {
  check_options(measure_table(), o);
  if (o.min_time && o.max_time && *o.min_time > *o.max_time) refuse("--min-time is longer than --max-time", {});
  if (o.requests && o.min_time)
    refuse("cannot use --min-time with --requests", "the number of requests says when it is enough",
           "Take one of them.");
  check_one_pass(o);
}

MakeWorkload workload_of(const Candidate& c) {
  if (const auto* make = std::get_if<MakeWorkload>(&c.what)) {
    if (!*make) refuse("cannot compare a function that makes a workload and is empty", {});
    return *make;
  }
  auto callable = std::get<std::function<void()>>(c.what);
  if (!callable) refuse("cannot compare a callable that is empty", {});
  return [callable = std::move(callable), stream = c.stream, items = c.items](Device& device) {
    return std::make_unique<Callable>(callable, stream ? device.adopt(stream) : device.stream(), items);
  };
}

}  // namespace

void refuse_callable_options(const Options& o, const char* instead) {
  for (const CallableMember& m : callable_members()) {
    if (m.given(o)) refuse(fmt::format("cannot use the option '{}' here", m.name), "it belongs to callables", instead);
  }
}

OpenOptions open_options(const Model& m) {
  if (m.model.empty()) refuse("no model is named", {});
  check_options(model_table(), m);
  return {m};
}

RunOptions plan_run(const OpenOptions& open, const Options& o) {
  check_measuring(o);
  RunOptions r;
  r.open = open;
  r.measure = o;
  return r;
}

MethodsPlan plan_methods(const OpenOptions& open, const MethodsOptions& o) {
  check_options(methods_table(), o);
  check_methods(o);
  return {o, open};
}

ProfilePlan plan_profile(const OpenOptions& open, const ProfileOptions& o) {
  check_options(profile_table(), o);
  return {.open = open, .how = o};
}

MemoryPlan plan_memory(const OpenOptions& open, const MemoryOptions& o) {
  check_options(memory_table(), o);
  return {.open = open, .how = o};
}

ThroughputPlan plan_throughput(const OpenOptions& open, const ThroughputOptions& o) {
  if (open.batch)
    refuse("cannot use --batch with throughput", "throughput searches for the batch", "Take --batches for a list.");
  check_options(throughput_table(), o);
  if (o.percentile && !o.max_latency)
    refuse("cannot use --percentile without --max-latency", "it is the percentile of that bound");
  ThroughputPlan p{o, open};
  p.shortest_seconds = effort_row(o.effort).shortest_seconds;
  p.longest_seconds = effort_row(o.effort).longest_seconds;
  p.answer_launches = o.launches.value_or(effort_row(o.effort).launches);
  p.launch_seconds = effort_row(o.effort).launch_seconds;
  p.repeats_within = launch_length({.effort = o.effort}).margin;
  return p;
}

// In this process: what is told by a worker, or in several, is not there.
ThroughputPlan plan_throughput(const BatchedWork& work, const ThroughputOptions& o) {
  if (!work.make) refuse("cannot search for a batch of work that is empty", {});
  const ThroughputOptions usual;
  const std::pair<bool, const char*> of_models[]{{o.streams != usual.streams, "streams"},
                                                 {o.copies != usual.copies, "copies"},
                                                 {o.launches.has_value(), "launches"},
                                                 {o.soak != usual.soak, "soak"},
                                                 {o.no_largest, "no_largest"}};
  for (const auto& [given, name] : of_models) {
    if (given)
      refuse(fmt::format("cannot use the option '{}' here", name), "it belongs to models, and this is work of your own",
             "Leave it out.");
  }
  ThroughputPlan p = plan_throughput(OpenOptions{}, o);
  p.answer_launches = 0;
  p.here = TrialsHere(work, o.progress);
  return p;
}

CandidateOptions plan_candidate(const Candidate& c) {
  Options measure;
  measure.in_flight = c.in_flight.value_or(measure.in_flight);
  measure.graph = c.graph;
  measure.copies = c.copies;
  measure.cache = c.cache;
  measure.device = c.device;
  measure.stream = c.stream;
  measure.pin = c.pin;
  measure.items = c.items;
  CandidateOptions o;
  o.name = c.name;
  if (const auto* model = std::get_if<Model>(&c.what)) {
    refuse_callable_options(measure, "Set what the model needs in its Model.");
    o.run = plan_run(open_options(*model), measure);
    if (o.name.empty()) o.name = model->model;
    return o;
  }
  o.callable = workload_of(c);
  o.any_stream = !c.stream && std::holds_alternative<std::function<void()>>(c.what);
  if (o.name.empty()) refuse("cannot compare a callable without a name", {});
  if (c.graph)
    refuse(fmt::format("cannot run '{}' as a graph", o.name), "it is a callable, which cannot be captured",
           "Replay your own graph in it.");
  check_measuring(measure);
  o.run.measure = measure;
  return o;
}

ComparePlan plan_compare(std::vector<CandidateOptions> candidates, const CompareOptions& o) {
  // The same one twice is an A/A comparison.
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto same = std::count_if(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const CandidateOptions& c) { return c.name == candidates[i].name; });
    if (same > 0) candidates[i].name += fmt::format(" ({})", same + 1);
  }
  check_options(compare_table(), o);
  ComparePlan p;
  p.candidates = std::move(candidates);
  p.pairs = o.pairs.value_or(effort_row(o.effort).pairs);
  p.margin = o.margin;
  for (const std::string& text : o.fail_on) p.fail_on.push_back(parse_fail_on(text));
  p.noise_floor = o.noise_floor || !p.fail_on.empty();
  p.energy = o.metric == metric::energy;
  p.max_time = o.max_time;
  p.progress = o.progress;
  p.stop = o.stop;
  return p;
}

CompareRecordsPlan plan_compare_records(std::size_t records, const CompareRecordsOptions& o) {
  if (records < 2) refuse("cannot compare a single record", {}, "Give at least two.");
  CompareOptions margin;
  margin.margin = o.margin;
  check_options(compare_table(), margin);
  CompareRecordsPlan p;
  p.margin = o.margin;
  p.force = o.force;
  p.allow = o.allow;
  for (const std::string& text : o.fail_on) p.fail_on.push_back(parse_fail_on(text));
  return p;
}

AuditPlan plan_audit(const std::string& file, const AuditOptions& o) {
  AuditPlan p;
  p.file = file;
  p.reading = {.unit = o.unit, .name = o.name, .column = o.column, .decimal = decimal_sign(o.decimal)};
  p.times = !(o.unit.empty() && o.column.empty() && o.decimal.empty() && o.name.empty());
  if (p.times) return p;
  const std::string text = read_file(file);
  try {
    parse_record(text);
  } catch (const Error&) {
    p.times = may_hold_times(text);
  }
  return p;
}

}  // namespace strobe

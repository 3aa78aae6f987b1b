// SPDX-License-Identifier: Apache-2.0
#include "study/pipeline/pipeline.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <strobe/error.h>
#include <strobe/measure.h>

#include "base/build_info.h"
#include "option/forms.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/pipeline/overlap_answer.h"
#include "study/pipeline/pipeline_answer.h"
#include "study/pipeline/pipeline_cases.h"
#include "study/with_remains.h"
#include "verdict/judge.h"
#include "workload/callable.h"

namespace strobe {
namespace {

PipelineRule rule_of(const PipelineOptions& o) {
  return {.rounds = o.rounds,
          .iterations = o.iterations,
          .in_flight = o.in_flight,
          .max_time = o.max_time,
          .progress = o.progress,
          .stop = o.stop};
}

void describe_run(const PipelineMeasurement& m, const PipelineOptions& o, Record& r) {
  r.status = m.status;
  r.status_reason = m.reason;
  r.window_ns = to_double(m.end - m.warm);
  r.startup.first_ns = to_double(m.first);
  r.startup.warmup_requests = m.warmup_iterations;
  r.startup.warmup_ns = to_double(m.warm);
  r.device.calibration = m.calibration;
  m.around->observe(m.begun + m.warm, r.observations);
  describe_options(pipeline_table(), o, r.settings);
  r.rounds = m.rounds;
  r.pipeline.iterations_a_turn = m.iterations_a_turn;
}

// Those of all models, each once; without any the work is our own.
void describe_runtimes(const Pipeline& p, ModelInfo& model) {
  std::set<std::string> names, versions;
  for (const auto& runtime : p.runtimes) {
    names.insert(runtime->name());
    versions.insert(runtime->version());
  }
  model.runtime = names.empty() ? "strobe" : fmt::format("{}", fmt::join(names, ", "));
  model.runtime_version = names.empty() ? kVersion : fmt::format("{}", fmt::join(versions, ", "));
}

// What a measurement says that needs no further question to the device.
void describe_pipeline(const PipelineMeasurement& m, const Pipeline& p, const PipelineOptions& o, Record& r) {
  describe_run(m, o, r);
  add_pipeline_cases(m, p, r);
  add_timeline(m, p, r);
  answer_pipeline(m, p, r);
  add_overlap_cases(m, o.in_flight, r);
  answer_overlap(m, p, o.in_flight, r);
}

// Without a queue the work of an iteration is done when the host has handed it over.
void check_in_flight(const Pipeline& p, std::size_t in_flight) {
  if (in_flight == 1 || p.asynchronous()) return;
  throw Error(ErrorCode::usage, fmt::format("cannot keep {} iterations in flight", in_flight),
              "on the CPU one thread does all stages, one after the other",
              "Leave --in-flight out, or take a device with a queue (--device cuda).");
}

Record measure_into(Pipeline& p, const PipelineOptions& o, Record r, Salvage* salvage = nullptr) {
  check_in_flight(p, o.in_flight);
  const nanoseconds begin = SteadyClock().now();
  r.device = p.device->info();
  if (r.device.kind == "cpu" && r.host.contains("cpu")) r.device.name = std::get<std::string>(r.host.at("cpu"));
  r.settings["device_chosen"] = p.device_chosen;
  if (p.fast_streams) r.settings["stream"] = std::string(name(StreamLevel::fast));
  r.startup.load_ns = to_double(p.load_time);
  const auto describe = [&](const PipelineMeasurement& m, Record& record) {
    describe_pipeline(m, p, o, record);
    record.duration_ns = to_double(SteadyClock().now() - begin + p.load_time);
    if (o.complete) o.complete(record);
    judge(record);
  };
  // Meanwhile `r` does not change.
  const auto record_of = [&](const PipelineMeasurement& so_far) {
    Record saved = r;
    describe(so_far, saved);
    return saved;
  };
  const auto measuring = [&](auto* remains) { return measure_pipeline(p, rule_of(o), remains); };
  const auto m = measure_with_remains<PipelineMeasurement>(salvage, measuring, record_of);
  r.telemetry = m.around->telemetry();
  describe(m, r);
  return r;
}

// A stream of the user's is one lane, whoever works on it.
std::size_t lane_for(Pipeline& p, std::vector<void*>& natives, void* native) {
  const auto it = std::find(natives.begin(), natives.end(), native);
  const auto lane = static_cast<std::size_t>(it - natives.begin());
  if (it != natives.end()) return lane;
  natives.push_back(native);
  // Without one they work on the device's default stream.
  p.lanes.push_back({natives.size() == 1 ? "main" : fmt::format("stream {}", natives.size()), p.device->adopt(native)});
  return lane;
}

void check_count(std::size_t n, std::size_t most, const std::string& what) {
  if (n < 1 || n > most)
    throw Error(ErrorCode::usage, fmt::format("cannot take {} {}", n, what), fmt::format("expected 1 to {}", most));
}

Pipeline pipeline_of(std::vector<PipelineStep> steps, const PipelineOptions& o) {
  Pipeline p;
  p.name = o.name;
  p.device_name = o.device;
  p.device = open_device(o.device);
  std::vector<void*> natives;
  for (PipelineStep& step : steps) {
    if (!step.run) throw Error(ErrorCode::usage, fmt::format("step '{}' has no function", step.name));
    if (step.host && step.stream)
      throw Error(ErrorCode::usage, fmt::format("step '{}' has a stream, and is on the host", step.name),
                  "it is done when its function returns", "Leave one of the two out.");
    check_count(step.repeat, kMostRepeats, fmt::format("repeats of step '{}'", step.name));
    for (const PipelineStage& other : p.stages) {
      if (other.name == step.name) throw Error(ErrorCode::usage, fmt::format("there are two steps '{}'", step.name));
    }
    PipelineStage& stage = p.stages.emplace_back();
    stage.name = step.name;
    stage.repeat = static_cast<std::uint32_t>(step.repeat);
    stage.host = step.host || !p.asynchronous();
    if (!step.host) stage.lane = lane_for(p, natives, step.stream);
    // A wrapper of its own: a gate before the work must stand on the stream where the work goes.
    auto stream = stage.host ? p.device->stream() : p.device->adopt(step.stream);
    stage.work = std::make_unique<Callable>(std::move(step.run), std::move(stream), 1);
    resolve_after(p, p.stages.size() - 1, step.after);
  }
  return p;
}

}  // namespace

Record study_pipeline(const PipelineStudy& study) {
  Record r = new_record(verb::pipeline);
  PipelinePlan plan = study.plan;
  plan.in_flight = study.how.in_flight;
  Pipeline p = open_pipeline(plan, study.log);
  r.model.name = study.plan.name;
  r.model.path = study.file;
  r.model.sha256 = study.sha256;
  r.model.files = p.files;
  describe_runtimes(p, r.model);
  PipelineOptions how = study.how;
  if (!how.iterations) how.iterations = study.plan.iterations;
  return measure_into(p, how, std::move(r), study.salvage);
}

Record pipeline(std::vector<PipelineStep> steps, const PipelineOptions& o) {
  if (steps.empty()) throw Error(ErrorCode::usage, "cannot measure a pipeline without steps");
  check_options(pipeline_table(), o);
  refuse_beside_callables(pipeline_table(), o);
  Record r = new_record(verb::pipeline);
  Pipeline p = pipeline_of(std::move(steps), o);
  r.model.name = o.name;
  r.model.runtime = "callable";
  return measure_into(p, o, std::move(r));
}

}  // namespace strobe

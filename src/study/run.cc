// SPDX-License-Identifier: Apache-2.0
#include "study/run.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "base/if_possible.h"
#include "device/device.h"
#include "host/file.h"
#include "host/memory.h"
#include "measure/analysis.h"
#include "measure/input_effect.h"
#include "measure/launch_length.h"
#include "measure/measurement.h"
#include "measure/one_pass.h"
#include "measure/samples_file.h"
#include "measure/waiting.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "record/precision.h"
#include "study/bytes_metric.h"
#include "study/new_record.h"
#include "study/observe_stream.h"
#include "study/options/tables.h"
#include "study/second_session.h"
#include "study/with_remains.h"
#include "verdict/judge.h"
#include "workload/callable.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

// With what was left open decided.
Options decided(Options o) {
  const LaunchLength length = launch_length(o);
  o.margin = length.margin;
  o.min_time = length.length;
  o.percentiles = reported_percentiles(o);
  return o;
}

void describe_values(const Session& session, Observations& o) {
  const auto shares = session.input_values();
  if (!shares) return;
  o.input_zero_share = shares->zero;
  o.input_repeated_share = shares->repeated;
  o.input_subnormal_share = shares->subnormal;
  o.input_not_finite_share = shares->not_finite;
}

// A file that cannot be written must not take the result with it.
void write_samples(const Measurement& m, const std::string& file, Record& r) {
  try {
    write_file(file, samples_csv(m));
  } catch (const Error& e) {
    r.unwritten = e.what();
  }
}

// What a measurement says that needs no further question to the device.
void describe_measurement(const Measurement& m, const Options& o, Record& r) {
  analyse(m, o, r);
  describe_options(measure_table(), decided(o), r.settings);
  if (!o.samples.empty()) write_samples(m, o.samples, r);
}

// The part that callables, workloads and models share. `complete` adds what is known beside the measurement, where its
// end does not come.
struct Beside {
  std::size_t launch = 1;
  PinRule pin = {};
  Salvage* salvage = nullptr;
  std::function<void(Record&)> complete = {};
};

void measure_into(Workload& workload, const Options& o, Record& r, const Beside& beside = {}) {
  if (o.in_flight < 1)
    throw Error(ErrorCode::usage, "cannot measure with 0 requests in flight", {}, "Take at least 1.");
  if (const Capability flush = workload.stream().device().can().flush; o.cache == Cache::cold && !flush)
    throw Error(ErrorCode::unsupported, "cannot measure with a cold cache", flush.why_not, "Leave --cache out.");
  if (o.requests && *o.requests < 1) throw Error(ErrorCode::usage, "cannot measure 0 requests", {}, "Take at least 1.");
  // Meanwhile `r` does not change.
  const auto record_of = [&](const Measurement& so_far) {
    Record saved = r;
    describe_measurement(so_far, o, saved);
    if (beside.complete) beside.complete(saved);
    judge(saved);
    return saved;
  };
  const auto measuring = [&](auto* remains) {
    if (!o.pass.empty()) return measure_one_pass(workload, o, beside.pin);
    return measure_rounds(workload, o, {beside.launch, remains, beside.pin});
  };
  const auto m = measure_with_remains<Measurement>(beside.salvage, measuring, record_of);
  r.telemetry = m.around->telemetry();
  describe_measurement(m, o, r);
  r.observations.input_sets = workload.input_sets();
  r.observations.input_bytes = workload.input_bytes();
  if (m.failure.empty() && o.pass.empty()) {  // a broken device answers no question
    if (r.status != Status::interrupted) if_possible([&] { observe_stream(workload, r); });
    if_possible([&] { r.observations.other_devices = workload.stream().device().others_in_use(); });
    if (const auto* session = dynamic_cast<const Session*>(&workload))
      if_possible([&] { describe_values(*session, r.observations); });
  }
}

// A second session costs what the first one did: not where that is a large part of the time that was asked for.
bool affords_second_session(const Options& o, const Record& r) {
  return !o.max_time || r.startup.load_ns.value_or(0) + r.startup.first_ns.value_or(0) <= to_double(*o.max_time) / 4;
}

// What a request computes. After everything that is timed: it needs a second session.
void add_work(OpenedModel& model, const Options& o, Record& r) {
  auto* session = dynamic_cast<Session*>(model.workload.get());
  if (!model.device->can().asynchronous || !session || r.status == Status::interrupted || !affords_second_session(o, r))
    return;
  if_possible([&] { r.observations.work = session->inspect(); });
  if (r.observations.work) r.observations.fallback_nodes = r.observations.work->cpu_nodes;
  if (o.flops) {
    r.observations.work = r.observations.work.value_or(WorkObservation{});
    r.observations.work->flops = o.flops;
  }
  if (!r.observations.work) return;
  if_possible([&] { r.model = model.describe(); });  // now it can tell in what it computes
  if (computes_in_integers(r.model)) return;         // no peak is measured for these
  const Math math = computes_in_half(r.model) ? Math::f16 : allows_tf32(r.model) ? Math::tf32 : Math::f32;
  if_possible([&] {
    if (const auto peak = model.device->peak(math)) r.device.calibration["gemm_tflops"] = *peak;
  });
}

// What nobody would show is refused, not dropped.
void check_flops(const OpenedModel& model) {
  const bool session = dynamic_cast<const Session*>(model.workload.get()) != nullptr;
  if (session && model.device->can().asynchronous) return;
  throw Error(
      ErrorCode::usage, "cannot use --flops here",
      session ? fmt::format("the work of a request is compared with a GPU's best, and this is {}", model.device_name)
              : "the work of a request is shown of model files only",
      "Leave it out.");
}

// This GPU's own best, beside which the figures of work and copies are shown.
void add_peaks(const OpenedModel& model, const Options& o, Record& r) {
  if (r.status == Status::interrupted || !(r.observations.work || o.copies)) return;
  if_possible([&] { r.device.calibration.merge(model.device->calibrate(Depth::thorough)); });
}

// So do other inputs, and then a hundred requests.
bool affords_other_inputs(const Options& o, const Record& r) {
  const Metric* latency = r.find(metric::latency);
  return !o.max_time || (affords_second_session(o, r) && latency &&
                         kInputEffectRequests * latency->estimate.value <= to_double(*o.max_time) / 4);
}

// The most that this process had, or what the device has less than before the load. What a simulated device has not
// been told to count, nobody has.
void add_peak(const OpenedModel& model, const std::optional<DeviceMemory>& before, Record& r) {
  const auto now = model.device->memory();
  if (before && now)
    r.metrics[metric::memory] = bytes_metric(before->free > now->free ? before->free.count - now->free.count : 0);
  else if (model.device->info().kind == "cpu")
    r.metrics[metric::memory] = bytes_metric(peak_memory().count);
}

// What all launches have in common: after everything that is timed, and in the first of them only.
void look_further(OpenedModel& model, const Options& o, Record& r) {
  if (affords_other_inputs(o, r)) {
    LocalConductor conductor(o.stop);
    try_other_inputs(model, conductor, r);
    try_new_inputs(model, conductor, r);
  }
  add_work(model, o, r);
  add_peaks(model, o, r);
}

}  // namespace

Record run(const RunOptions& o) {
  Record r = new_record(verb::run);
  SteadyClock clock;
  const nanoseconds begin = clock.now();
  report_waiting(o.measure.progress, "loading");
  std::optional<DeviceMemory> before;
  OpenOptions open = o.open;
  open.before_load = [&](const Device& device) { before = device.memory(); };
  OpenedModel model = open_model(open);
  if (o.measure.flops) check_flops(model);
  describe_opened(model, r);
  const auto complete = [&](Record& saved) {
    saved.model = model.info;
    describe_model_settings(o.open, model, saved);
    saved.duration_ns = to_double(clock.now() - begin);
  };
  measure_into(*model.workload, o.measure, r, {o.open.launch + 1, model.pin, o.salvage, complete});
  if_possible([&] { add_peak(model, before, r); });
  r.model = model.info;
  if_possible([&] { r.model = model.describe(); });
  describe_model_settings(o.open, model, r);
  if (o.open.launch == 0 && o.measure.pass.empty()) look_further(model, o.measure, r);
  // A session of its own was loaded for each of these, from the same files.
  if (o.measure.graph || r.observations.work || r.observations.other_input_ratio) check_unchanged(r.model);
  r.duration_ns = to_double(clock.now() - begin);
  judge(r);
  return r;
}

void refuse_callable_members(const Options& o) {
  for (const CallableMember& m : callable_members()) {
    if (m.given(o) && !m.of_workloads)
      throw Error(ErrorCode::usage, fmt::format("cannot use the option '{}' here", m.name), "the workload has its own");
  }
}

Record measure_workload(Workload& workload, const Options& o, std::size_t launch) {
  Record r = new_record(verb::measure);
  SteadyClock clock;
  const nanoseconds begin = clock.now();
  r.device = workload.stream().device().info();
  r.model.name = o.name;
  r.model.runtime = "callable";
  measure_into(workload, o, r, {.launch = launch, .pin = pin_rule(workload.stream().device(), o.pin)});
  workload.complete(r);
  r.duration_ns = to_double(clock.now() - begin);
  judge(r);
  return r;
}

Record measure(Workload& workload, const Options& o) {
  refuse_callable_members(o);
  refuse_beside_callables(measure_table(), o);  // what nobody would look at is refused, not dropped
  return measure_workload(workload, o);
}

Record measure(std::function<void()> callable, const Options& o) {
  if (!callable) throw Error(ErrorCode::usage, "cannot measure a callable that is empty");
  refuse_beside_callables(measure_table(), o);
  const std::shared_ptr<Device> device = open_device(o.device);
  Callable workload(std::move(callable), o.stream ? device->adopt(o.stream) : device->stream(), o.items);
  return measure_workload(workload, o);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/methods.h"

#include <optional>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/if_possible.h"
#include "device/device.h"
#include "measure/calibration.h"
#include "measure/deadline.h"
#include "measure/idle.h"
#include "measure/method_axes.h"
#include "measure/method_rows.h"
#include "measure/readings.h"
#include "measure/waiting.h"
#include "option/forms.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "record/reported.h"
#include "record/scalars.h"
#include "study/method_table.h"
#include "study/new_record.h"
#include "study/observe_stream.h"
#include "study/options/tables.h"
#include "study/time_advice.h"
#include "study/with_remains.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

Metric metric_of(const MethodRow& row, double tick) {
  Metric m = describe_readings(row.readings, row.method.clock == Method::Clock::device ? tick : 1);
  if (!m.known() && !row.error.empty()) m.unknown = row.error;
  return m;
}

// The record's own figure that a reading is held against.
std::optional<double> reference_of(const std::string& metric, const Record& record) {
  if (metric == metric::first_request) return record.startup.first_ns;
  const Metric* m = record.find(metric);
  return m ? std::optional(m->estimate.value) : std::nullopt;
}

Case case_of(const ShownMethod& shown, const MethodRow& row, double tick, std::size_t items, const Record& record) {
  Case c;
  c.name = row.name;
  c.settings = axes(row.method, fact<std::string>(record.device.facts, "gate").value_or("wait-value"));
  c.claims = shown.claims;
  c.group = shown.group;
  c.error = row.error;
  c.about = shown.about;
  if (shown.listing) c.settings["listing"] = std::string(shown.listing->what);
  if (!row.error.empty()) return c;
  c.statistic = shown.statistic;
  c.queue = row.full_queue;
  const Metric& m = c.metrics[metric::reading] = metric_of(row, tick);
  if (shown.listing && m.known()) c.prints = shown.listing->line(m, items);
  const auto read = reported(c);
  const auto reference = reference_of(c.claims, record);
  if (read && reference && *reference > 0) c.difference = read->estimate.value / *reference - 1;
  return c;
}

// What a row read after pauses, as a run shows it.
IdleResult idle_result(const IdlePause& pause, const Case& row) {
  IdleResult r{.pause_ns = to_double(pause.length), .random = pause.random};
  if (const auto reading = row.metrics.find(metric::reading); reading != row.metrics.end())
    r.metrics[metric::latency] = reading->second;
  r.difference = row.difference;
  return r;
}

void observe(const MethodRows& result, const Workload& workload, Record& r) {
  Observations& o = r.observations;
  if (r.device.asynchronous) o.gate = GateObservation{result.gate_why_not.empty(), result.gate_why_not, 0};
  result.around->observe(0ns, o);
  o.input_sets = workload.input_sets();
  o.input_bytes = workload.input_bytes();
}

// `asked`: somebody wanted it to stop; else it was the time.
void describe_status(const MethodRows& result, bool asked, Record& r) {
  r.status = result.stopped || !result.failure.empty() ? Status::interrupted : Status::fixed;
  r.status_reason = result.failure;
  if (result.stopped && result.failure.empty() && !asked) {
    r.status = Status::not_converged;
    r.status_reason = fmt::format("not every method was read as often as asked for, which takes about {}",
                                  format_time(result.expected));
  }
}

// What the readings say; no further question to the device is needed.
void describe_rows(const MethodRows& result, const MethodTable& table, const MethodsPlan& o, const OpenedModel& model,
                   Record& r) {
  const std::vector<ShownMethod>& shown = table.shown;
  for (std::size_t i = shown.size(); i < result.rows.size(); ++i)
    r.metrics[result.rows[i].name] = metric_of(result.rows[i], result.tick);
  if (!r.device.asynchronous) r.metrics[metric::period] = r.metrics[metric::latency];
  r.startup.first_ns = result.first_ns;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    r.cases.push_back(case_of(shown[i], result.rows[i], result.tick, model.workload->items(), r));
    const IdlePause& idle = result.rows[i].method.idle;
    if (idle.length > 0ns) r.idle.push_back(idle_result(idle, r.cases.back()));
  }
  describe_options(methods_table(), o, r.settings);
  r.startup.warmup_requests = o.warmup;
  if (table.script) {
    r.startup.warmup_requests.reset();
    r.settings.erase("warmup");
  } else {
    r.observations.requests_per_block = result.block;
  }
  describe_model_settings(o.open, model, r);
  observe(result, *model.workload, r);
}

}  // namespace

Record compare_methods(const MethodsPlan& o) {
  Record r = new_record(verb::methods);
  SteadyClock clock;
  const nanoseconds begin = clock.now();
  report_waiting(o.progress, "loading");
  OpenedModel model = open_model(o.open);
  describe_opened(model, r);
  r.device.calibration = calibrate(*model.device);
  const MethodTable table = method_table(o, *model.device);
  LocalConductor conductor(o.stop);
  Deadline deadline(model.device->clock(), end_of(o.max_time, model.device->clock()), conductor);
  const auto describe = [&](const MethodRows& result, bool asked, Record& record) {
    describe_rows(result, table, o, model, record);
    describe_status(result, asked, record);
    record.duration_ns = to_double(clock.now() - begin);
    apply_detectors(record);
  };
  const MethodPlan plan{table.rows(), o.warmup, o.requests, o.progress, &deadline, model.pin, table.script};
  // Meanwhile `r` does not change.
  const auto record_of = [&](const MethodRows& so_far) {
    Record saved = r;
    saved.model = model.info;
    describe(so_far, true, saved);
    return saved;
  };
  const auto timing = [&](auto* remains) { return time_by_methods(*model.workload, plan, remains); };
  const auto result = measure_with_remains<MethodRows>(o.salvage, timing, record_of);
  if (!result.any_read() && result.stopped && !deadline.asked())
    throw Error(ErrorCode::failed, "cannot compare methods in this time", "--max-time was up before the first reading",
                give_at_least(to_nanoseconds(result.first_ns) + result.expected));
  r.telemetry = result.around->telemetry();
  r.model = model.describe();
  if (result.failure.empty() && !result.stopped) if_possible([&] { observe_stream(*model.workload, r); });
  describe(result, deadline.asked(), r);
  return r;
}

}  // namespace strobe

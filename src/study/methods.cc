// SPDX-License-Identifier: Apache-2.0
#include "study/methods.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "base/parse.h"
#include "device/device.h"
#include "measure/calibration.h"
#include "measure/deadline.h"
#include "measure/idle.h"
#include "measure/method_rows.h"
#include "measure/readings.h"
#include "measure/waiting.h"
#include "option/forms.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "study/time_advice.h"
#include "study/with_remains.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

using Wait = Method::Wait;
using Read = Method::Read;

constexpr std::array kWaits{Wait::none, Wait::event, Wait::stream, Wait::device};

// Rows that readings are compared with; measured in the same rounds.
const std::array kReferences{
    NamedMethod{kLatencyPass.method, metric::latency, ""}, NamedMethod{kDeviceTimePass.method, metric::device_time, ""},
    NamedMethod{kReplayPass.method, metric::replay_time, ""}, NamedMethod{kPeriodPass.method, metric::period, ""}};

std::string matrix_name(const Method& m) {
  std::string name = m.clock == Method::Clock::host ? "host" : "device";
  name += m.wait == Wait::none     ? ", no wait"
          : m.wait == Wait::event  ? ", event"
          : m.wait == Wait::stream ? ", stream"
                                   : ", device-wide";
  if (m.clock == Method::Clock::device) name += m.read == Read::request ? ", read at once" : ", read at the end";
  return name + (m.warmup ? "" : ", no warm-up");
}

// Every combination of warm-up, clock, wait and reading. A host clock is always read at once.
std::vector<MethodRow> matrix() {
  std::vector<MethodRow> rows;
  for (const bool warmup : {true, false}) {
    for (const Method::Clock clock : {Method::Clock::host, Method::Clock::device}) {
      for (const Wait wait : kWaits) {
        for (const Read read : {Read::request, Read::end}) {
          if (clock == Method::Clock::host && read == Read::end) continue;
          const Method m{.name = "matrix", .clock = clock, .wait = wait, .read = read, .warmup = warmup};
          rows.push_back({m, matrix_name(m)});
        }
      }
    }
  }
  return rows;
}

// On an inline device all waits and clocks read the same, so only what differs is shown.
std::vector<MethodRow> inline_rows() {
  const Method once{.name = "request", .wait = Wait::none};
  Method cold = once, block = once;
  cold.warmup = false;
  block.scope = Method::Scope::block;
  return {{once, "request"}, {cold, "request, no warm-up"}, {block, "block"}};
}

std::vector<MethodRow> chosen_rows(const MethodsPlan& o, const Device& device) {
  std::vector<MethodRow> rows;
  std::vector<std::string> names;
  std::vector<NamedMethod> known(named_methods().begin(), named_methods().end());
  known.insert(known.end(), special_methods().begin(), special_methods().end());
  for (const NamedMethod& n : known) names.emplace_back(n.method.name);
  for (const std::string& wanted : o.methods) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) continue;
    throw Error(ErrorCode::usage, fmt::format("there is no method '{}'", wanted.substr(0, 40)), {},
                fmt::format("The methods are {}.{}", fmt::join(names, ", "), did_you_mean(wanted, names)));
  }
  if (!device.can().asynchronous) return inline_rows();
  for (const NamedMethod& n : known) {
    const std::string name(n.method.name);
    const bool wanted = std::find(o.methods.begin(), o.methods.end(), name) != o.methods.end();
    if (o.methods.empty() ? is_usual(n.method, device) : wanted) rows.push_back({n.method, name});
  }
  if (o.methods.empty()) {
    for (MethodRow& row : matrix()) rows.push_back(std::move(row));
  }
  return rows;
}

const NamedMethod* named(const MethodRow& row) {
  for (const auto methods : {named_methods(), special_methods()}) {
    for (const NamedMethod& n : methods) {
      if (n.method.name == row.name) return &n;
    }
  }
  return nullptr;
}

std::string_view claim_of(const MethodRow& row) {
  if (const NamedMethod* n = named(row)) return n->claims;
  if (row.method.scope == Method::Scope::block) return metric::period;
  return row.method.clock == Method::Clock::host ? metric::latency : metric::device_time;
}

std::string_view phrase_of(const MethodRow& row, bool asynchronous) {
  if (const NamedMethod* n = named(row)) return n->about;
  if (row.method.idle.length > 0ns) return "one request after each pause: what host and device need to wake is in it";
  if (!row.method.warmup) return "counts the first requests too";
  if (row.method.scope == Method::Scope::block) return "one pair of clock readings around a block";
  if (!asynchronous) return "each request between two clock readings";
  if (row.method.clock == Method::Clock::host && row.method.wait == Wait::none) return "counts submission only";
  if (row.method.clock == Method::Clock::host)
    return row.method.wait == Wait::event ? "until its end mark, whose recording it counts" : "until the work is done";
  return row.method.wait == Wait::none ? "queued without waiting"
                                       : "counts the gaps in which the device waits for the host";
}

Metric metric_of(const MethodRow& row, double tick) {
  Metric m = describe_readings(row.readings, row.method.clock == Method::Clock::device ? tick : 1);
  if (!m.known() && !row.error.empty()) m.unknown = row.error;
  return m;
}

Case case_of(const MethodRow& row, double tick, const Record& record) {
  Case c;
  c.name = row.name;
  c.settings = axes(row.method, fact<std::string>(record.device.facts, "gate").value_or("wait-value"));
  c.claims = claim_of(row);
  c.error = row.error;
  c.about = phrase_of(row, record.device.asynchronous);
  if (!row.error.empty()) return c;
  const Metric& m = c.metrics[metric::reading] = metric_of(row, tick);
  const Metric* reference = record.find(claim_of(row));
  // What people print is the mean, and only the mean shows what the first requests did to it.
  const double read = row.method.warmup || !m.mean ? m.estimate.value : m.mean->value;
  if (reference && reference->estimate.value > 0 && m.known()) c.difference = read / reference->estimate.value - 1;
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

// All that is to be read: what is shown, then the references.
struct MethodTable {
  std::vector<MethodRow> rows;
  std::size_t shown = 0;
};

MethodTable table_of(const MethodsPlan& o, const Device& device) {
  const bool asynchronous = static_cast<bool>(device.can().asynchronous);
  MethodTable t;
  t.rows = chosen_rows(o, device);
  for (const IdlePause& p : o.idle) t.rows.push_back({idle_pass(p).method, idle_label(to_double(p.length), p.random)});
  t.shown = t.rows.size();
  for (const NamedMethod& n : kReferences) {
    if (asynchronous || n.claims == metric::latency)
      t.rows.push_back({.method = n.method, .name = std::string(n.claims), .reference = true});
  }
  return t;
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
void describe_rows(const MethodRows& result, std::size_t shown, const MethodsPlan& o, const OpenedModel& model,
                   Record& r) {
  for (std::size_t i = shown; i < result.rows.size(); ++i)
    r.metrics[result.rows[i].name] = metric_of(result.rows[i], result.tick);
  if (!r.device.asynchronous) r.metrics[metric::period] = r.metrics[metric::latency];
  for (std::size_t i = 0; i < shown; ++i) {
    r.cases.push_back(case_of(result.rows[i], result.tick, r));
    const IdlePause& idle = result.rows[i].method.idle;
    if (idle.length > 0ns) r.idle.push_back(idle_result(idle, r.cases.back()));
  }
  r.startup.first_ns = result.first_ns;
  r.startup.warmup_requests = o.warmup;
  describe_options(methods_table(), o, r.settings);
  r.observations.requests_per_block = result.block;
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
  MethodTable table = table_of(o, *model.device);
  LocalConductor conductor(o.stop);
  Deadline deadline(model.device->clock(), end_of(o.max_time, model.device->clock()), conductor);
  const auto describe = [&](const MethodRows& result, bool asked, Record& record) {
    describe_rows(result, table.shown, o, model, record);
    describe_status(result, asked, record);
    record.duration_ns = to_double(clock.now() - begin);
    apply_detectors(record);
  };
  const MethodPlan plan{std::move(table.rows), o.warmup, o.requests, o.progress, &deadline, model.pin};
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
  describe(result, deadline.asked(), r);
  return r;
}

}  // namespace strobe

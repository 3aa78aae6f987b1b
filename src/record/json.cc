// SPDX-License-Identifier: Apache-2.0
// The JSON form of a record. Writing and reading of one struct stand next to each other, so that a field added to one
// is added to the other. Unknown fields are ignored; a newer major version is refused.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "record/json_fields.h"
#include "record/names.h"

namespace strobe {
namespace {

using record_json::Json;
using record_json::number;
using record_json::read;
using record_json::read_study;
using record_json::Reader;
using record_json::write;
using record_json::write_study;
using record_json::Writer;

constexpr int kMajor = 1;

Json write(const Disturbances& d) {
  Writer w;
  w.put("watched_ns", d.watched_ns);
  w.put("loads", d.loads);
  w.put("libraries", Json(d.libraries));
  w.put("loading_share", d.loading_share);
  w.put("major_faults", d.major_faults);
  w.put("switches", d.switches);
  w.put("preemptions", d.preemptions);
  w.put("waited_ns", d.waited_ns);
  w.put("throttled_ns", d.throttled_ns);
  return w.json;
}

void read(const Json& j, const std::string& path, Disturbances& d) {
  const Reader r(j, path);
  r.get("watched_ns", d.watched_ns);
  r.get("loads", d.loads);
  r.get("libraries", d.libraries);
  r.get("loading_share", d.loading_share);
  r.get("major_faults", d.major_faults);
  r.get("switches", d.switches);
  r.get("preemptions", d.preemptions);
  r.get("waited_ns", d.waited_ns);
  r.get("throttled_ns", d.throttled_ns);
}

Json write(const Observations& o) {
  Writer w;
  if (o.gate) {
    Writer g;
    g.put("used", o.gate->used);
    g.put("why_not", o.gate->why_not);
    if (o.gate->voided) g.put("voided", o.gate->voided);
    w.put("gate", g.json);
  }
  if (o.outputs) {
    Writer c;
    c.put("finite", o.outputs->finite);
    c.put("repeatable", o.outputs->repeatable);
    c.put("distinct", o.outputs->distinct);
    c.put("worst_difference", o.outputs->worst_difference);
    c.put("detail", o.outputs->detail);
    c.put("lasting", o.outputs->lasting);
    c.put("late_difference", o.outputs->late_difference);
    w.put("outputs", c.json);
  }
  w.put("escaped_ns", o.escaped_ns);
  w.put("allocations_per_request", o.allocations_per_request);
  w.put("launches_per_request", o.launches_per_request);
  w.put("fallback_nodes", o.fallback_nodes);
  if (o.work) {
    Writer k;
    k.put("nodes", o.work->nodes);
    k.put("cpu_nodes", o.work->cpu_nodes);
    k.put("inserted_copies", o.work->inserted_copies);
    k.put("flops", o.work->flops);
    k.put("least_bytes", o.work->least_bytes);
    k.put("uncounted", Json(o.work->uncounted));
    w.put("work", k.json);
  }
  w.put("copied_in_bytes", o.copied_in_bytes);
  w.put("copied_out_bytes", o.copied_out_bytes);
  w.put("input_sets", o.input_sets);
  w.put("input_zero_share", o.input_zero_share);
  w.put("input_subnormal_share", o.input_subnormal_share);
  w.put("input_not_finite_share", o.input_not_finite_share);
  w.put("other_input_ratio", o.other_input_ratio);
  w.put("clocks_per_pass", write(o.clocks_per_pass));
  if (o.disturbances) w.put("disturbances", write(*o.disturbances));
  w.put("other_devices", Json(o.other_devices));
  return w.json;
}

void read(const Json& j, const std::string& path, Observations& o) {
  const Reader r(j, path);
  r.with("gate", [&](const Json& x, const std::string& p) {
    const Reader g(x, p);
    g.get("used", o.gate.emplace().used);
    g.get("why_not", o.gate->why_not);
    g.get("voided", o.gate->voided);
  });
  r.with("outputs", [&](const Json& x, const std::string& p) {
    const Reader c(x, p);
    c.get("finite", o.outputs.emplace().finite);
    c.get("repeatable", o.outputs->repeatable);
    c.get("distinct", o.outputs->distinct);
    c.get("worst_difference", o.outputs->worst_difference);
    c.get("detail", o.outputs->detail);
    c.get("lasting", o.outputs->lasting);
    c.get("late_difference", o.outputs->late_difference);
  });
  r.get("escaped_ns", o.escaped_ns);
  r.get("allocations_per_request", o.allocations_per_request);
  r.get("launches_per_request", o.launches_per_request);
  r.get("fallback_nodes", o.fallback_nodes);
  r.with("work", [&](const Json& x, const std::string& p) {
    const Reader k(x, p);
    k.get("nodes", o.work.emplace().nodes);
    k.get("cpu_nodes", o.work->cpu_nodes);
    k.get("inserted_copies", o.work->inserted_copies);
    k.get("flops", o.work->flops);
    k.get("least_bytes", o.work->least_bytes);
    k.get("uncounted", o.work->uncounted);
  });
  r.get("copied_in_bytes", o.copied_in_bytes);
  r.get("copied_out_bytes", o.copied_out_bytes);
  r.get("input_sets", o.input_sets);
  r.get("input_zero_share", o.input_zero_share);
  r.get("input_subnormal_share", o.input_subnormal_share);
  r.get("input_not_finite_share", o.input_not_finite_share);
  r.get("other_input_ratio", o.other_input_ratio);
  r.with("clocks_per_pass", [&](const Json& x, const std::string& p) { read(x, p, o.clocks_per_pass); });
  r.with("disturbances", [&](const Json& x, const std::string& p) { read(x, p, o.disturbances.emplace()); });
  r.get("other_devices", o.other_devices);
}

Json write(const Telemetry& t) {
  Writer w;
  Json at = Json::array();
  for (const double s : t.at_seconds) at.push_back(number(s));
  w.put("at_s", at);
  Json columns = Json::object();
  for (const auto& [key, values] : t.columns) {
    Json list = Json::array();
    for (const double v : values) list.push_back(number(v));
    columns[key] = std::move(list);
  }
  w.put("columns", columns);
  w.put("facts", write(t.facts));
  return w.json;
}

void read(const Json& j, const std::string& path, Telemetry& t) {
  const Reader r(j, path);
  r.get("at_s", t.at_seconds);
  r.with("columns", [&](const Json& x, const std::string& p) {
    const Reader c(x, p);
    for (const auto& [key, values] : x.items()) c.get(key.c_str(), t.columns[key]);
  });
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, t.facts); });
}

Json write(const Record& record) {
  Writer w;
  w.put("schema", fmt::format("strobe/{}", kMajor));
  w.put("verb", record.verb);
  Writer build;
  build.put("version", record.strobe.version);
  build.put("commit", record.strobe.commit);
  build.put("build", record.strobe.build);
  build.put("compiler", record.strobe.compiler);
  w.put("strobe", build.json);
  w.put("command", Json(record.command));
  w.put("started_at", record.started_at);
  w.put("duration_ns", record.duration_ns);
  w.put("status", name(record.status));
  w.put("status_reason", record.status_reason);
  w.put("host", write(record.host));
  w.put("device", write(record.device));
  w.put("model", write(record.model));
  w.put("settings", write(record.settings));
  Writer startup;
  startup.put("load_ns", record.startup.load_ns);
  startup.put("first_ns", record.startup.first_ns);
  startup.put("warmup_requests", record.startup.warmup_requests);
  startup.put("warmup_ns", record.startup.warmup_ns);
  w.put("startup", startup.json);
  w.put("window_ns", record.window_ns);
  w.json["metrics"] = write(record.metrics);
  w.put("observations", write(record.observations));
  w.put("telemetry", write(record.telemetry));
  write_study(record, w);
  w.json["findings"] = write(record.findings);
  w.put("verdict", name(record.verdict));
  return w.json;
}

bool is_flat(const Json& j) {
  return std::none_of(j.begin(), j.end(), [](const Json& x) { return x.is_structured() && !x.empty(); });
}

// One field a line for people, but a row of numbers, an interval or a point of a curve in one line.
// Text from outside (file names, library messages) may not be UTF-8; it is replaced, never refused.
void lay_out(const Json& j, std::size_t depth, std::string& out) {
  constexpr std::size_t kShort = 4;
  const bool one_line = !j.is_structured() || (is_flat(j) && (j.is_array() || j.size() <= kShort || depth > 3));
  if (one_line) {
    out += j.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  const std::string indent(depth + 1, ' ');
  out += j.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& [key, value] : j.items()) {
    out += (first ? "\n" : ",\n") + indent;
    if (j.is_object()) out += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    lay_out(value, depth + 1, out);
    first = false;
  }
  out += "\n" + std::string(depth, ' ') + (j.is_array() ? "]" : "}");
}

void check_schema(const Reader& r) {
  std::string schema;
  r.get("schema", schema);
  int major = 0;
  if (std::sscanf(schema.c_str(), "strobe/%d", &major) != 1) {
    throw Error(ErrorCode::bad_input, "cannot read the record", "it has no field \"schema\": \"strobe/…\"",
                "Is it a record of strobe?");
  }
  if (major > kMajor) {
    throw Error(ErrorCode::unsupported, "cannot read the record",
                fmt::format("its schema is strobe/{}, this program knows strobe/{}", major, kMajor),
                "Use a newer strobe.");
  }
}

}  // namespace

std::string json(const Record& record) {
  std::string out;
  lay_out(write(record), 0, out);
  return out + "\n";
}

Record parse_record(std::string_view text) {
  const Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) throw Error(ErrorCode::bad_input, "cannot read the record", "it is not JSON");
  const Reader r(document, "");
  check_schema(r);
  Record record;
  r.get("verb", record.verb);
  r.with("strobe", [&](const Json& x, const std::string& p) {
    const Reader b(x, p);
    b.get("version", record.strobe.version);
    b.get("commit", record.strobe.commit);
    b.get("build", record.strobe.build);
    b.get("compiler", record.strobe.compiler);
  });
  r.get("command", record.command);
  r.get("started_at", record.started_at);
  r.get("duration_ns", record.duration_ns);
  std::string status = "fixed", verdict = "trusted";
  r.get("status", status);
  record.status = parse_name<Status>(status);
  r.get("status_reason", record.status_reason);
  r.with("host", [&](const Json& x, const std::string& p) { read(x, p, record.host); });
  r.with("device", [&](const Json& x, const std::string& p) { read(x, p, record.device); });
  r.with("model", [&](const Json& x, const std::string& p) { read(x, p, record.model); });
  r.with("settings", [&](const Json& x, const std::string& p) { read(x, p, record.settings); });
  r.with("startup", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    s.get("load_ns", record.startup.load_ns);
    s.get("first_ns", record.startup.first_ns);
    s.get("warmup_requests", record.startup.warmup_requests);
    s.get("warmup_ns", record.startup.warmup_ns);
  });
  r.get("window_ns", record.window_ns);
  r.with("metrics", [&](const Json& x, const std::string& p) { read(x, p, record.metrics); });
  r.with("observations", [&](const Json& x, const std::string& p) { read(x, p, record.observations); });
  r.with("telemetry", [&](const Json& x, const std::string& p) { read(x, p, record.telemetry); });
  read_study(r, record);
  read(r, record.findings);
  r.get("verdict", verdict);
  record.verdict = parse_name<Verdict>(verdict);
  return record;
}

}  // namespace strobe

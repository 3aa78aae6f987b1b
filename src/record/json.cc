// The JSON form of a record. Writing and reading of one struct stand next to each other, so that a field added to one
// is added to the other. Unknown fields are ignored; a newer major version is refused; NaN and infinity never get in.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>
#include <strobe/record.h>

#include "record/names.h"

namespace strobe {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMajor = 1;

// ---- small pieces ---------------------------------------------------------------------------------------------------

Json number(double x) {
  if (!std::isfinite(x)) throw Error(ErrorCode::failed, "cannot write the record", "a figure is not a finite number");
  // Whole numbers stay whole: times are mostly integers, and 1000000.0 only makes files longer.
  if (x == std::floor(x) && std::fabs(x) < 9e15) return static_cast<std::int64_t>(x);
  return x;
}

// Fields are left out when they say nothing: absent optional, empty text, empty list.
class Writer {
 public:
  Json json = Json::object();

  void put(const char* key, double x) { json[key] = number(x); }
  void put(const char* key, bool x) { json[key] = x; }
  void put(const char* key, std::uint64_t x) { json[key] = x; }
  void put(const char* key, std::string_view x) {
    if (!x.empty()) json[key] = std::string(x);
  }
  void put(const char* key, const char* x) { put(key, std::string_view(x)); }
  void put(const char* key, const std::string& x) { put(key, std::string_view(x)); }
  void put(const char* key, Json x) {
    if (!x.empty()) json[key] = std::move(x);
  }
  template <class T>
  void put(const char* key, const std::optional<T>& x) {
    if (x) put(key, *x);
  }
};

// Reads a field if it is there; a field of another type is an error that names it.
class Reader {
 public:
  explicit Reader(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json_.is_object()) fail("an object");
  }

  template <class T>
  void get(const char* key, T& value) const {
    const auto it = json_.find(key);
    if (it == json_.end() || it->is_null()) return;
    try {
      if constexpr (std::is_same_v<T, double>) {
        if (!it->is_number()) throw std::invalid_argument("number");
      }
      value = it->template get<T>();
    } catch (const std::exception&) {
      throw Error(ErrorCode::bad_input, "cannot read the record",
                  fmt::format("the field '{}{}' has the wrong type", path_, key));
    }
  }
  template <class T>
  void get(const char* key, std::optional<T>& value) const {
    T x{};
    if (!json_.contains(key) || json_.at(key).is_null()) return;
    get(key, x);
    value = std::move(x);
  }
  // Calls f with the value when it is there.
  template <class F>
  void with(const char* key, F&& f) const {
    if (const auto it = json_.find(key); it != json_.end() && !it->is_null()) f(*it, path_ + key + ".");
  }
  template <class F>
  void each(const char* key, F&& f) const {
    const auto it = json_.find(key);
    if (it == json_.end() || it->is_null()) return;
    if (!it->is_array())
      throw Error(ErrorCode::bad_input, "cannot read the record",
                  fmt::format("the field '{}{}' is not a list", path_, key));
    for (const Json& x : *it) f(x, path_ + key + "[].");
  }
  const Json& json() const { return json_; }
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw Error(ErrorCode::bad_input, "cannot read the record",
                fmt::format("'{}' is not {}", path_.empty() ? "the document" : path_, what));
  }
  const Json& json_;
  std::string path_;
};

Json write(const Scalars& values) {
  Json j = Json::object();
  for (const auto& [key, value] : values) {
    std::visit(
        [&, k = key](const auto& x) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, double>) {
            j[k] = number(x);
          } else {
            j[k] = x;
          }
        },
        value);
  }
  return j;
}

void read(const Json& j, const std::string& path, Scalars& values) {
  Reader check(j, path);
  for (const auto& [key, x] : j.items()) {
    if (x.is_boolean())
      values[key] = x.get<bool>();
    else if (x.is_number_integer())
      values[key] = x.get<std::int64_t>();
    else if (x.is_number())
      values[key] = x.get<double>();
    else if (x.is_string())
      values[key] = x.get<std::string>();
  }
}

using Numbers = std::map<std::string, double, std::less<>>;

Json write(const Numbers& values) {
  Json j = Json::object();
  for (const auto& [key, value] : values) j[key] = number(value);
  return j;
}

void read(const Json& j, const std::string& path, Numbers& values) {
  const Reader r(j, path);
  for (const auto& [key, x] : j.items()) {
    if (x.is_number()) values[key] = x.get<double>();
  }
}

// ---- figures --------------------------------------------------------------------------------------------------------

Json write(const Estimate& e) {
  Writer w;
  w.put("value", e.value);
  w.json["low"] = e.low ? number(*e.low) : Json();
  w.json["high"] = e.high ? number(*e.high) : Json();
  if (!e.valid) w.put("valid", false);
  w.put("why", e.why);
  return w.json;
}

void read(const Json& j, const std::string& path, Estimate& e) {
  const Reader r(j, path);
  r.get("value", e.value);
  r.get("low", e.low);
  r.get("high", e.high);
  r.get("valid", e.valid);
  r.get("why", e.why);
}

Json write(const Percentile& p) {
  Json j = Json::object();
  j["p"] = p.p;
  if (p.estimate) j.update(write(*p.estimate));
  if (p.needs) j["needs"] = *p.needs;
  return j;
}

void read(const Json& j, const std::string& path, Percentile& p) {
  const Reader r(j, path);
  r.get("p", p.p);
  r.get("needs", p.needs);
  if (j.contains("value")) read(j, path, p.estimate.emplace());
}

Json write(const Facts& f) {
  Writer w;
  w.put("warmup_end_s", f.warmup_end_seconds);
  w.put("warmup_state", f.warmup_state);
  w.put("warmup_bias", f.warmup_bias);
  w.put("drift", f.drift);
  w.put("drift_per_minute", f.drift_per_minute);
  if (f.drift) w.put("drifting", f.drifting);
  Json shifts = Json::array();
  for (const LevelShift& s : f.shifts)
    shifts.push_back(Json::object({{"at_s", number(s.at_seconds)}, {"ratio", number(s.ratio)}}));
  w.put("shifts", shifts);
  if (f.regime_switching) w.put("regime_switching", true);
  Json modes = Json::array();
  for (const Mode& m : f.modes) modes.push_back(Json::object({{"value", number(m.value)}, {"share", number(m.share)}}));
  w.put("modes", modes);
  if (!f.modes.empty()) w.put("modes_ordered", f.modes_ordered);
  w.put("lag1", f.lag1);
  w.put("tick", f.tick);
  w.put("tau", f.n_eff_tau);
  w.put("coupling", f.coupling);
  if (f.coupled) w.put("coupled", true);
  return w.json;
}

void read(const Json& j, const std::string& path, Facts& f) {
  const Reader r(j, path);
  r.get("warmup_end_s", f.warmup_end_seconds);
  r.get("warmup_state", f.warmup_state);
  r.get("warmup_bias", f.warmup_bias);
  r.get("drift", f.drift);
  r.get("drift_per_minute", f.drift_per_minute);
  r.get("drifting", f.drifting);
  r.each("shifts", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    LevelShift& shift = f.shifts.emplace_back();
    s.get("at_s", shift.at_seconds);
    s.get("ratio", shift.ratio);
  });
  r.get("regime_switching", f.regime_switching);
  r.each("modes", [&](const Json& x, const std::string& p) {
    const Reader s(x, p);
    Mode& mode = f.modes.emplace_back();
    s.get("value", mode.value);
    s.get("share", mode.share);
  });
  r.get("modes_ordered", f.modes_ordered);
  r.get("lag1", f.lag1);
  r.get("tick", f.tick);
  r.get("tau", f.n_eff_tau);
  r.get("coupling", f.coupling);
  r.get("coupled", f.coupled);
}

Json write(const Metric& m) {
  Writer w;
  if (!m.known()) {
    w.put("unknown", m.unknown);
    return w.json;
  }
  w.put("unit", m.unit);
  w.put("n", m.n);
  w.put("n_eff", m.n_eff);
  w.put("median", write(m.median));
  if (m.mean) w.put("mean", write(*m.mean));
  if (m.max == 0) return w.json;  // a rate over the whole window: it has no distribution
  w.put("stddev", m.stddev);
  w.put("min", m.min);
  w.put("max", m.max);
  w.put("outliers", Json{{"count", m.outliers.count},
                         {"share", number(m.outliers.share)},
                         {"time_share", number(m.outliers.time_share)},
                         {"largest", number(m.outliers.largest)}});
  Json percentiles = Json::array();
  for (const Percentile& p : m.percentiles) percentiles.push_back(write(p));
  w.put("percentiles", percentiles);
  w.put("facts", write(m.facts));
  Json curve = Json::array();
  for (const CurveBucket& b : m.curve) {
    curve.push_back(Json::object({{"t", number(b.at_seconds)},
                                  {"low", number(b.low)},
                                  {"median", number(b.median)},
                                  {"high", number(b.high)},
                                  {"n", b.n}}));
  }
  w.put("curve", curve);
  if (!m.histogram.counts.empty()) {
    Json edges = Json::array();
    for (const double e : m.histogram.edges) edges.push_back(number(e));
    w.put("histogram", Json{{"edges", edges}, {"counts", m.histogram.counts}});
  }
  return w.json;
}

void read(const Json& j, const std::string& path, Metric& m) {
  const Reader r(j, path);
  r.get("unknown", m.unknown);
  r.get("unit", m.unit);
  r.get("n", m.n);
  r.get("n_eff", m.n_eff);
  r.with("median", [&](const Json& x, const std::string& p) { read(x, p, m.median); });
  r.with("mean", [&](const Json& x, const std::string& p) { read(x, p, m.mean.emplace()); });
  r.get("stddev", m.stddev);
  r.get("min", m.min);
  r.get("max", m.max);
  r.with("outliers", [&](const Json& x, const std::string& p) {
    const Reader o(x, p);
    o.get("count", m.outliers.count);
    o.get("share", m.outliers.share);
    o.get("time_share", m.outliers.time_share);
    o.get("largest", m.outliers.largest);
  });
  r.each("percentiles", [&](const Json& x, const std::string& p) { read(x, p, m.percentiles.emplace_back()); });
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, m.facts); });
  r.each("curve", [&](const Json& x, const std::string& p) {
    const Reader b(x, p);
    CurveBucket& bucket = m.curve.emplace_back();
    b.get("t", bucket.at_seconds);
    b.get("low", bucket.low);
    b.get("median", bucket.median);
    b.get("high", bucket.high);
    b.get("n", bucket.n);
  });
  r.with("histogram", [&](const Json& x, const std::string& p) {
    const Reader h(x, p);
    h.get("edges", m.histogram.edges);
    h.get("counts", m.histogram.counts);
  });
}

Json write(const Metrics& metrics) {
  std::vector<const Metrics::value_type*> order;
  for (const auto& m : metrics) order.push_back(&m);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return metric_order(a->first) < metric_order(b->first); });
  Json j = Json::object();
  for (const auto* m : order) j[m->first] = write(m->second);
  return j;
}

void read(const Json& j, const std::string& path, Metrics& metrics) {
  const Reader r(j, path);
  for (const auto& [key, x] : j.items()) read(x, path + key + ".", metrics[key]);
}

// ---- what was measured, on what -------------------------------------------------------------------------------------

Json write(const std::vector<TensorInfo>& tensors) {
  Json list = Json::array();
  for (const TensorInfo& t : tensors) {
    Json j{{"name", t.name}, {"type", t.type}, {"shape", t.shape}};
    if (!t.source.empty()) j["source"] = t.source;
    list.push_back(std::move(j));
  }
  return list;
}

void read(const Reader& r, const char* key, std::vector<TensorInfo>& tensors) {
  r.each(key, [&](const Json& x, const std::string& p) {
    const Reader t(x, p);
    TensorInfo& info = tensors.emplace_back();
    t.get("name", info.name);
    t.get("type", info.type);
    t.get("shape", info.shape);
    t.get("source", info.source);
  });
}

Json write(const ModelInfo& m) {
  Writer w;
  w.put("path", m.path);
  w.put("name", m.name);
  w.put("sha256", m.sha256);
  w.put("runtime", m.runtime);
  w.put("runtime_version", m.runtime_version);
  w.put("inputs", write(m.inputs));
  w.put("outputs", write(m.outputs));
  w.put("parameters", m.parameters);
  w.put("facts", write(m.facts));
  return w.json;
}

void read(const Json& j, const std::string& path, ModelInfo& m) {
  const Reader r(j, path);
  r.get("path", m.path);
  r.get("name", m.name);
  r.get("sha256", m.sha256);
  r.get("runtime", m.runtime);
  r.get("runtime_version", m.runtime_version);
  read(r, "inputs", m.inputs);
  read(r, "outputs", m.outputs);
  r.get("parameters", m.parameters);
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, m.facts); });
}

Json write(const DeviceInfo& d) {
  Writer w;
  w.put("kind", d.kind);
  w.put("name", d.name);
  w.put("asynchronous", d.asynchronous);
  w.put("facts", write(d.facts));
  w.put("calibration", write(d.calibration));
  return w.json;
}

void read(const Json& j, const std::string& path, DeviceInfo& d) {
  const Reader r(j, path);
  r.get("kind", d.kind);
  r.get("name", d.name);
  r.get("asynchronous", d.asynchronous);
  r.with("facts", [&](const Json& x, const std::string& p) { read(x, p, d.facts); });
  r.with("calibration", [&](const Json& x, const std::string& p) { read(x, p, d.calibration); });
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
    w.put("outputs", c.json);
  }
  w.put("escaped_ns", o.escaped_ns);
  w.put("allocations_per_request", o.allocations_per_request);
  w.put("launches_per_request", o.launches_per_request);
  w.put("fallback_nodes", o.fallback_nodes);
  w.put("input_sets", o.input_sets);
  w.put("input_zero_share", o.input_zero_share);
  w.put("clocks_per_pass", write(o.clocks_per_pass));
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
  });
  r.get("escaped_ns", o.escaped_ns);
  r.get("allocations_per_request", o.allocations_per_request);
  r.get("launches_per_request", o.launches_per_request);
  r.get("fallback_nodes", o.fallback_nodes);
  r.get("input_sets", o.input_sets);
  r.get("input_zero_share", o.input_zero_share);
  r.with("clocks_per_pass", [&](const Json& x, const std::string& p) { read(x, p, o.clocks_per_pass); });
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

Json write(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (const Finding& f : findings) {
    Json j{{"id", f.id},
           {"about", name(f.about)},
           {"severity", name(f.severity)},
           {"message", f.message},
           {"advice", f.advice}};
    if (!f.evidence.empty()) j["evidence"] = write(f.evidence);
    list.push_back(std::move(j));
  }
  return list;
}

void read(const Reader& r, std::vector<Finding>& findings) {
  r.each("findings", [&](const Json& x, const std::string& p) {
    const Reader f(x, p);
    Finding& finding = findings.emplace_back();
    std::string about = "measurement", severity = "note";
    f.get("id", finding.id);
    f.get("about", about);
    f.get("severity", severity);
    finding.about = parse_name<About>(about);
    finding.severity = parse_name<Severity>(severity);
    f.get("message", finding.message);
    f.get("advice", finding.advice);
    f.with("evidence", [&](const Json& e, const std::string& q) { read(e, q, finding.evidence); });
  });
}

Json write(const Case& c) {
  Writer w;
  w.put("name", c.name);
  w.put("settings", write(c.settings));
  w.put("about", c.about);
  w.put("error", c.error);
  w.put("difference", c.difference);
  w.put("metrics", write(c.metrics));
  w.put("findings", write(c.findings));
  return w.json;
}

void read(const Json& j, const std::string& path, Case& c) {
  const Reader r(j, path);
  r.get("name", c.name);
  r.with("settings", [&](const Json& x, const std::string& p) { read(x, p, c.settings); });
  r.get("about", c.about);
  r.get("error", c.error);
  r.get("difference", c.difference);
  r.with("metrics", [&](const Json& x, const std::string& p) { read(x, p, c.metrics); });
  read(r, c.findings);
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
  Json cases = Json::array();
  for (const Case& c : record.cases) cases.push_back(write(c));
  w.put("cases", cases);
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
  r.each("cases", [&](const Json& x, const std::string& p) { read(x, p, record.cases.emplace_back()); });
  read(r, record.findings);
  r.get("verdict", verdict);
  record.verdict = parse_name<Verdict>(verdict);
  return record;
}

}  // namespace strobe

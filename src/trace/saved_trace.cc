// SPDX-License-Identifier: Apache-2.0
#include "trace/saved_trace.h"

#include <map>

#include <nlohmann/json.hpp>

#include <strobe/error.h>

namespace strobe::trace {
namespace {

using Json = nlohmann::json;

constexpr const char* kSchema = "strobe-trace/1";

// Names come once: a kernel has a long one, and runs in every request.
class Names {
 public:
  std::size_t of(const std::string& name) {
    const auto [at, added] = numbers_.try_emplace(name, names_.size());
    if (added) names_.push_back(name);
    return at->second;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

Interval interval(const Json& row, std::size_t at) {
  return {nanoseconds(row.at(at).get<std::int64_t>()), nanoseconds(row.at(at + 1).get<std::int64_t>())};
}

// [number, thread, waits, name, begin, end]
Json row_of(const RecordedCall& c, Names& names) {
  return {c.number,          c.thread, c.kind == HostCall::Kind::wait, names.of(c.name), c.when.begin.count(),
          c.when.end.count()};
}

RecordedCall call_of(const Json& row, const std::vector<std::string>& names) {
  return {.number = row.at(0),
          .thread = row.at(1),
          .kind = row.at(2).get<bool>() ? HostCall::Kind::wait : HostCall::Kind::submit,
          .name = names.at(row.at(3)),
          .when = interval(row, 4)};
}

// [number, stream, is a copy, name, bytes, begin, end]
Json row_of(const RecordedWork& w, Names& names) {
  return {w.number,          w.stream, w.kind == DeviceWork::Kind::copy,
          names.of(w.name),  w.bytes,  w.when.begin.count(),
          w.when.end.count()};
}

RecordedWork work_of(const Json& row, const std::vector<std::string>& names) {
  return {.number = row.at(0),
          .stream = row.at(1),
          .kind = row.at(2).get<bool>() ? DeviceWork::Kind::copy : DeviceWork::Kind::kernel,
          .name = names.at(row.at(3)),
          .bytes = row.at(4),
          .when = interval(row, 5)};
}

// [name, type, where, begin, end]
Json row_of(const LayerCall& c, Names& names) {
  return {names.of(c.name), names.of(c.type), names.of(c.where), c.when.begin.count(), c.when.end.count()};
}

LayerCall layer_of(const Json& row, const std::vector<std::string>& names) {
  return {names.at(row.at(0)), names.at(row.at(1)), names.at(row.at(2)), interval(row, 3)};
}

template <class T>
Json rows_of(const std::vector<T>& xs, Names& names) {
  Json rows = Json::array();
  for (const T& x : xs) rows.push_back(row_of(x, names));
  return rows;
}

SavedTrace read(const Json& j) {
  const auto names = j.at("names").get<std::vector<std::string>>();
  SavedTrace t;
  t.recording.source = j.at("source");
  t.recording.dropped = j.at("dropped");
  for (const Json& row : j.at("clock"))
    t.recording.clock.push_back({interval(row, 0).begin, interval(row, 1).begin, interval(row, 1).end});
  for (const Json& row : j.at("calls")) t.recording.calls.push_back(call_of(row, names));
  for (const Json& row : j.at("work")) t.recording.work.push_back(work_of(row, names));
  for (const Json& row : j.at("requests")) t.windows.push_back(interval(row, 0));
  for (const Json& request : j.at("layers")) {
    auto& layers = t.layers.emplace_back();
    for (const Json& row : request) layers.push_back(layer_of(row, names));
  }
  return t;
}

}  // namespace

std::string trace_json(const SavedTrace& t) {
  Names names;
  Json j{{"schema", kSchema}, {"source", t.recording.source}, {"dropped", t.recording.dropped}};
  j["clock"] = Json::array();
  for (const ClockReading& r : t.recording.clock)
    j["clock"].push_back({r.before.count(), r.tracer.count(), r.after.count()});
  j["calls"] = rows_of(t.recording.calls, names);
  j["work"] = rows_of(t.recording.work, names);
  j["requests"] = Json::array();
  for (const Interval& w : t.windows) j["requests"].push_back({w.begin.count(), w.end.count()});
  j["layers"] = Json::array();
  for (const auto& request : t.layers) j["layers"].push_back(rows_of(request, names));
  j["names"] = names.all();
  return j.dump() + "\n";
}

SavedTrace parse_trace(std::string_view text) {
  constexpr const char* kWhat = "cannot read the trace";
  try {
    const Json j = Json::parse(text);
    if (j.at("schema") != kSchema)
      throw Error(ErrorCode::bad_input, kWhat, "it is not of the version 'strobe-trace/1'", "Record it again.");
    return read(j);
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {
    throw Error(ErrorCode::bad_input, kWhat, "it is not what --save-trace writes");
  }
}

std::vector<RequestTrace> requests_of(const SavedTrace& t) {
  std::vector<RequestTrace> requests = place(join(t.recording), t.windows);
  for (std::size_t i = 0; i < requests.size() && i < t.layers.size(); ++i) requests[i].layers = t.layers[i];
  return requests;
}

}  // namespace strobe::trace

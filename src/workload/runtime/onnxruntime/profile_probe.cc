// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/profile_probe.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "workload/runtime/operator_work.h"

namespace strobe::onnxruntime {
namespace {

using Json = nlohmann::json;

// [{"float": [1, 3, 224, 224]}, …]; sequences and absent inputs have no shape.
std::vector<Shape> shapes_of(const Json& args, const char* key) {
  std::vector<Shape> shapes;
  if (!args.contains(key) || !args.at(key).is_array()) return shapes;
  for (const Json& tensor : args.at(key)) {
    Shape shape;
    if (tensor.is_object() && !tensor.empty() && tensor.begin().value().is_array())
      shape = tensor.begin().value().get<Shape>();
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

double number(const Json& args, const char* key) {
  if (!args.contains(key)) return 0;
  const Json& x = args.at(key);
  return x.is_number() ? x.get<double>() : x.is_string() ? std::strtod(x.get<std::string>().c_str(), nullptr) : 0;
}

std::string type_of_first(const Json& args) {
  const auto inputs = args.find("input_type_shape");
  if (inputs == args.end() || !inputs->is_array() || inputs->empty()) return {};
  const Json& first = inputs->front();
  return first.is_object() && !first.empty() ? first.begin().key() : std::string();
}

using FlopsByType = std::map<std::string, double>;

void add_node(const Json& args, WorkObservation& w, FlopsByType& by_type) {
  const std::string op = args.value("op_name", ""), provider = args.value("provider", "");
  if (op.starts_with("Memcpy")) {
    ++w.inserted_copies;
    return;
  }
  ++w.nodes;
  w.cpu_nodes += provider == "CPUExecutionProvider";
  const auto in = shapes_of(args, "input_type_shape"), out = shapes_of(args, "output_type_shape");
  if (const auto flops = operator_flops(op, in, out)) {
    *w.flops += *flops;
    by_type[type_of_first(args)] += *flops;
  } else if (std::find(w.uncounted.begin(), w.uncounted.end(), op) == w.uncounted.end())
    w.uncounted.push_back(op);
  *w.least_bytes += number(args, "parameter_size");
}

constexpr std::string_view kKernelTime = "_kernel_time";  // behind the name of a node

// Every event of the profile; throws Error where it is none.
void for_each_event(std::string_view text, const std::function<void(const Json&)>& take) {
  try {
    for (const Json& event : Json::parse(text)) take(event);
  } catch (const Json::exception&) {
    throw Error(ErrorCode::failed, "cannot read ONNX Runtime's profile", "it is not what this version writes");
  }
}

bool is_node(const Json& event) {
  return event.value("cat", "") == "Node" && event.contains("args") && event.value("name", "").ends_with(kKernelTime);
}

std::chrono::microseconds time_of(const Json& event, const char* key) {
  return std::chrono::microseconds(event.value(key, std::int64_t{0}));
}

// From the begin of the profile on.
LayerCall call_of(const Json& event) {
  LayerCall c;
  c.name = event.value("name", "");
  c.name.resize(c.name.size() - kKernelTime.size());
  c.type = event.at("args").value("op_name", "");
  c.where = event.at("args").value("provider", "");
  c.begin = time_of(event, "ts");
  c.end = c.begin + time_of(event, "dur");
  if (c.name.empty()) c.name = c.type;  // a node needs no name
  return c;
}

struct Run {
  std::chrono::nanoseconds begin{}, end{};
};

// Of the operators that began within the run.
ProfiledRequest request_of(const Run& run, std::span<const LayerCall> calls) {
  ProfiledRequest r{.length = run.end - run.begin, .layers = {calls.begin(), calls.end()}, .at = run.begin};
  for (LayerCall& layer : r.layers) {
    layer.begin -= run.begin;
    layer.end -= run.begin;
  }
  return r;
}

}  // namespace

std::vector<ProfiledRequest> read_runs(std::string_view text) {
  std::vector<Run> runs;
  std::vector<LayerCall> calls;
  for_each_event(text, [&](const Json& event) {
    if (is_node(event)) calls.push_back(call_of(event));
    if (event.value("cat", "") == "Session" && event.value("name", "") == "model_run")
      runs.push_back({time_of(event, "ts"), time_of(event, "ts") + time_of(event, "dur")});
  });
  const auto earlier = [](const auto& a, const auto& b) { return a.begin < b.begin; };
  std::stable_sort(runs.begin(), runs.end(), earlier);
  std::stable_sort(calls.begin(), calls.end(), earlier);
  std::vector<ProfiledRequest> requests;
  auto from = calls.begin();
  for (const Run& run : runs) {
    const auto begins_before = [](const LayerCall& c, std::chrono::nanoseconds t) { return c.begin < t; };
    const auto first = std::lower_bound(from, calls.end(), run.begin, begins_before);
    from = std::lower_bound(first, calls.end(), run.end, begins_before);
    requests.push_back(request_of(run, {first, from}));
  }
  return requests;
}

Profile read_profile(std::string_view text) {
  Profile p;
  WorkObservation& w = p.work;
  FlopsByType by_type;
  w.flops = w.least_bytes = 0;
  for_each_event(text, [&](const Json& event) {
    if (is_node(event)) add_node(event.at("args"), w, by_type);
  });
  double most = 0;
  for (const auto& [type, flops] : by_type) {
    if (flops > most) {
      most = flops;
      p.math = type;
    }
  }
  return p;
}

}  // namespace strobe::onnxruntime

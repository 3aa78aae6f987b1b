// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/profile_probe.h"

#include <algorithm>
#include <map>

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

}  // namespace

Profile read_profile(std::string_view text) {
  Profile p;
  WorkObservation& w = p.work;
  FlopsByType by_type;
  w.flops = w.least_bytes = 0;
  try {
    for (const Json& event : Json::parse(text)) {
      if (event.value("cat", "") != "Node" || !event.contains("args")) continue;
      if (!event.value("name", "").ends_with("_kernel_time")) continue;
      add_node(event.at("args"), w, by_type);
    }
  } catch (const Json::exception&) {
    throw Error(ErrorCode::failed, "cannot read ONNX Runtime's profile", "it is not what this version writes");
  }
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

// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/description.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "workload/runtime/torch/element_type.h"
#include "workload/tensor/npy.h"

namespace strobe::torch_plugin {
namespace {

using nlohmann::json;

DeclaredInput input_from(const json& j) {
  DeclaredInput in;
  in.name = j.at("name").get<std::string>();
  const auto type = parse_tensor_type(j.at("type").get<std::string>());
  if (!type) throw std::invalid_argument("type");
  in.type = *type;
  in.dims = j.at("dims").get<std::vector<std::int64_t>>();
  in.symbols.resize(in.dims.size());
  if (!in.dims.empty() && in.dims[0] < 0) in.symbols[0] = "batch";
  in.usual = ShapeText{j.at("usual").get<std::vector<std::int64_t>>(), {}};
  const auto fits = [](std::int64_t dim, std::int64_t usual) { return usual >= 1 && (dim == -1 || dim == usual); };
  if (!std::ranges::equal(in.dims, in.usual->dims, fits)) throw std::invalid_argument("usual");
  return in;
}

DeclaredInput any_shape(const std::string& name, std::size_t rank, TensorType type) {
  return {name, type, std::vector<std::int64_t>(rank, -1), std::vector<std::string>(rank), std::nullopt};
}

// What was typed decides; nothing when nothing was. A type that is no type is left to plan_inputs, which says so.
std::optional<DeclaredInput> as_given(const std::string& name, const ModelOptions& o) {
  if (const auto shape = o.shapes.find(name); shape != o.shapes.end())
    return any_shape(name, shape->second.dims.size(), parse_tensor_type(shape->second.type).value_or(TensorType::f32));
  if (const auto file = o.input_files.find(name); file != o.input_files.end()) {
    const NpyArray values = read_npy(file->second);
    return any_shape(name, values.shape.size(), values.type);
  }
  return std::nullopt;
}

}  // namespace

Description parse_description(const std::string& text, const std::string& path) {
  Description d;
  if (text.empty()) return d;
  try {
    const json j = json::parse(text);
    for (const json& in : j.at("inputs")) d.inputs.push_back(input_from(in));
    if (j.contains("parameters")) d.parameters = j["parameters"].get<std::uint64_t>();
    if (j.contains("least_batch")) d.least_batch = j["least_batch"].get<std::int64_t>();
    if (j.contains("most_batch")) d.most_batch = j["most_batch"].get<std::int64_t>();
  } catch (const std::exception&) {
    throw Error(ErrorCode::bad_input, fmt::format("cannot open '{}'", path),
                fmt::format("its {} is not what 'strobe zoo export' writes", kDescriptionFile), "Export it again.");
  }
  return d;
}

std::vector<DeclaredInput> declare(const std::vector<std::string>& names, const Description& d, const ModelOptions& o) {
  const auto known_input = [&](const std::string& name) {
    return std::find_if(d.inputs.begin(), d.inputs.end(), [&](const DeclaredInput& in) { return in.name == name; });
  };
  std::vector<DeclaredInput> declared;
  for (const std::string& name : names) {
    const auto known = known_input(name);
    declared.push_back(known != d.inputs.end() ? *known : any_shape(name, 0, TensorType::f32));
  }
  check_input_names(declared, o);  // a misspelt name is not an open shape
  declared.clear();
  std::vector<std::string> open;
  std::vector<std::pair<std::string, std::string>> shapes;
  for (const std::string& name : names) {
    const auto known = known_input(name);
    auto in = known != d.inputs.end() ? std::optional(*known) : as_given(name, o);
    if (in) {
      // Weights are converted, so what meets them must be, too.
      if (const auto type = converted_type(o.dtype); type && is_float(in->type)) in->type = *type;
      declared.push_back(std::move(*in));
    } else {
      open.push_back(fmt::format("'{}'", name));
      shapes.emplace_back(name, fmt::format("{}x3x224x224", o.batch.value_or(1)));
    }
  }
  if (open.empty()) return declared;
  throw Error(ErrorCode::usage, fmt::format("the shape of input {} is open", fmt::join(open, " and ")),
              "torch's files do not store shapes",
              fmt::format("Give it, for example: {} (add :i64 or another type where it is not f32)",
                          o.names.with("shape", shapes)));
}

}  // namespace strobe::torch_plugin

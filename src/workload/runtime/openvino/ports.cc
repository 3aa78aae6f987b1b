// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/openvino/ports.h"

#include <fmt/format.h>

#include "workload/runtime/openvino/element_type.h"

namespace strobe::openvino {
namespace {

using Port = Owned<ov_output_const_port_t>;

std::vector<std::int64_t> dims_of(const Port& port, const char* side, const std::string& name) {
  ov_partial_shape_t shape{};
  check(api().port_get_partial_shape(port.get(), &shape));
  const bool ranked = shape.rank.min == shape.rank.max && shape.rank.max >= 0;
  std::vector<std::int64_t> dims;
  for (std::int64_t d = 0; ranked && d < shape.rank.max; ++d)
    dims.push_back(shape.dims[d].min == shape.dims[d].max ? shape.dims[d].max : -1);
  api().partial_shape_free(&shape);
  if (!ranked)
    throw Error(ErrorCode::unsupported, fmt::format("cannot use {} '{}'", side, name),
                "it has no fixed number of dimensions");
  return dims;
}

// Name, type and shape, into what describes that side.
template <class Declared>
Declared declaration(ov_output_const_port_t* raw, const char* side, std::size_t number) {
  const Port port(raw, api().port_free);
  Declared d;
  char* name = nullptr;
  // A port may have no name: then its number stands for it.
  d.name = api().port_get_any_name(port.get(), &name) == OK ? taken(name) : fmt::format("{} {}", side, number);
  ov_element_type_e type{};
  check(api().port_get_element_type(port.get(), &type));
  const auto ours = from_openvino(type);
  if (!ours)
    throw Error(ErrorCode::unsupported, fmt::format("cannot use {} '{}'", side, d.name),
                "its element type is not one that strobe fills");
  d.type = *ours;
  d.dims = dims_of(port, side, d.name);
  return d;
}

}  // namespace

std::vector<DeclaredInput> read_inputs(const ov_model_t* model) {
  std::size_t count = 0;
  check(api().model_inputs_size(model, &count));
  std::vector<DeclaredInput> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    ov_output_const_port_t* port = nullptr;
    check(api().model_const_input(model, i, &port));
    inputs.push_back(declaration<DeclaredInput>(port, "input", i));
    inputs.back().symbols.resize(inputs.back().dims.size());
  }
  return inputs;
}

std::vector<DeclaredOutput> read_outputs(const ov_compiled_model_t* compiled) {
  std::size_t count = 0;
  check(api().compiled_model_outputs_size(compiled, &count));
  std::vector<DeclaredOutput> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    ov_output_const_port_t* port = nullptr;
    check(api().compiled_model_output(compiled, i, &port));
    outputs.push_back(declaration<DeclaredOutput>(port, "output", i));
  }
  return outputs;
}

}  // namespace strobe::openvino

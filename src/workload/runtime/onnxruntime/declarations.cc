// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/declarations.h"

#include <map>

#include <fmt/format.h>

#include "workload/runtime/onnxruntime/element_type.h"

namespace strobe::onnxruntime {
namespace {

[[noreturn]] void refuse_tensor(const char* side, const std::string& name, const char* cause) {
  throw Error(ErrorCode::unsupported, fmt::format("cannot use {} '{}'", side, name), cause);
}

// Type, shape and names of dynamic dimensions.
template <class Declared>
Declared declaration(const Ort::TypeInfo& info, std::string name, const char* side) {
  Declared d;
  d.name = std::move(name);
  if (info.GetONNXType() != ONNX_TYPE_TENSOR) refuse_tensor(side, d.name, "it is not a dense tensor");
  const auto tensor = info.GetTensorTypeAndShapeInfo();
  const auto type = from_onnx(tensor.GetElementType());
  if (!type) refuse_tensor(side, d.name, "its element type is not a number");
  d.type = *type;
  d.dims = tensor.GetShape();
  // By the C function: the C++ one has another form in each version of the header.
  std::vector<const char*> symbols(d.dims.size());
  Ort::ThrowOnError(Ort::GetApi().GetSymbolicDimensions(tensor, symbols.data(), symbols.size()));
  for (const char* symbol : symbols) d.symbols.emplace_back(symbol ? symbol : "");
  return d;
}

}  // namespace

Declarations read_declarations(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  Declarations all;
  for (std::size_t i = 0; i < session.GetInputCount(); ++i) {
    auto in = declaration<DeclaredInput>(session.GetInputTypeInfo(i), session.GetInputNameAllocated(i, allocator).get(),
                                         "input");
    if (const auto usual = metadata(session, "strobe.default_shape." + in.name))
      in.usual = parse_shape(*usual, "the model's default shape");
    all.inputs.push_back(std::move(in));
  }
  for (std::size_t i = 0; i < session.GetOutputCount(); ++i) {
    all.outputs.push_back(declaration<DeclaredOutput>(session.GetOutputTypeInfo(i),
                                                      session.GetOutputNameAllocated(i, allocator).get(), "output"));
  }
  return all;
}

// Through the names of dynamic dimensions.
std::vector<std::int64_t> known_shape(const DeclaredOutput& out, const std::vector<DeclaredInput>& declared,
                                      const std::vector<PlannedInput>& planned) {
  std::map<std::string, std::int64_t> symbols;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    for (std::size_t d = 0; d < declared[i].symbols.size(); ++d) {
      if (!declared[i].symbols[d].empty()) symbols[declared[i].symbols[d]] = planned[i].shape[d];
    }
  }
  std::vector<std::int64_t> shape = out.dims;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0 || d >= out.symbols.size()) continue;
    if (const auto s = symbols.find(out.symbols[d]); s != symbols.end()) shape[d] = s->second;
  }
  return shape;
}

std::optional<std::size_t> known_bytes(TensorType type, const std::vector<std::int64_t>& shape) {
  std::size_t bytes = size_of(type);
  for (const std::int64_t d : shape) {
    if (d < 0) return std::nullopt;
    bytes *= static_cast<std::size_t>(d);
  }
  return bytes;
}

std::optional<std::string> metadata(const Ort::Session& session, const std::string& key) {
  Ort::AllocatorWithDefaultOptions allocator;
  const auto value = session.GetModelMetadata().LookupCustomMetadataMapAllocated(key.c_str(), allocator);
  if (!value) return std::nullopt;
  return std::string(value.get());
}

}  // namespace strobe::onnxruntime

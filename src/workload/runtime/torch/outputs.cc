// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/outputs.h"

#include <ATen/ATen.h>

#include <fmt/format.h>

#include "workload/runtime/torch/element_type.h"

namespace strobe::torch_plugin {
namespace {

void append(const c10::IValue& value, const std::string& name, std::vector<NamedTensor>& all);

template <class Values>
void append_each(const Values& values, const std::string& name, std::vector<NamedTensor>& all) {
  std::size_t i = 0;
  for (const c10::IValue& v : values) append(v, fmt::format("{}.{}", name, i++), all);
}

std::string key_text(const c10::IValue& key) {
  return key.isString() ? key.toStringRef() : fmt::format("{}", key.isInt() ? key.toInt() : 0);
}

void append(const c10::IValue& value, const std::string& name, std::vector<NamedTensor>& all) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) all.push_back({name, value.toTensor()});
  } else if (value.isScalar()) {
    all.push_back({name, at::scalar_tensor(value.toScalar(), at::kDouble)});
  } else if (value.isTuple()) {
    append_each(value.toTupleRef().elements(), name, all);
  } else if (value.isList()) {
    append_each(value.toListRef(), name, all);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict())
      append(entry.value(), fmt::format("{}.{}", name, key_text(entry.key())), all);
  } else if (value.isObject()) {
    append_each(value.toObjectRef().slots(), name, all);
  }
}

// Complex, quantised, sparse and eight-bit tensors in a form that can be compared number by number.
at::Tensor plain(at::Tensor t) {
  if (t.is_mkldnn() || t.layout() != at::kStrided) t = t.to_dense();
  if (t.is_quantized()) t = t.dequantize();
  if (t.is_complex()) t = at::view_as_real(t.resolve_conj());
  if (!from_torch(t.scalar_type())) t = t.to(at::kFloat);
  return t.detach().to(at::kCPU).contiguous();
}

}  // namespace

std::vector<NamedTensor> flatten(const c10::IValue& value) {
  std::vector<NamedTensor> all;
  append(value, "output", all);
  return all;
}

std::vector<NamedTensor> flatten(const std::vector<at::Tensor>& tensors) {
  if (tensors.size() == 1) return {{"output", tensors[0]}};
  std::vector<NamedTensor> all;
  for (std::size_t i = 0; i < tensors.size(); ++i) all.push_back({fmt::format("output.{}", i), tensors[i]});
  return all;
}

Outputs to_host(const std::vector<NamedTensor>& tensors) {
  Outputs outputs;
  for (const NamedTensor& named : tensors) {
    const at::Tensor t = plain(named.tensor);
    const auto* p = static_cast<const std::byte*>(t.const_data_ptr());
    outputs.push_back({*from_torch(t.scalar_type()), {p, p + t.nbytes()}});
  }
  return outputs;
}

std::string type_name(const at::Tensor& t) {
  const auto type = from_torch(t.scalar_type());
  return type ? std::string(name(*type)) : std::string(c10::toString(t.scalar_type()));
}

}  // namespace strobe::torch_plugin

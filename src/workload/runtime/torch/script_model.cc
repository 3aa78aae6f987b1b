// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/script_model.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/serialization/import.h>

#include <fmt/format.h>

#include "workload/runtime/torch/element_type.h"
#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/outputs.h"

namespace strobe::torch_plugin {
namespace {

std::optional<at::MemoryFormat> channels_last(const at::Tensor& t) {
  if (t.dim() == 4) return at::MemoryFormat::ChannelsLast;
  if (t.dim() == 5) return at::MemoryFormat::ChannelsLast3d;
  return std::nullopt;
}

bool is_optional_tensor(const c10::TypePtr& type) {
  return type->kind() == c10::TypeKind::OptionalType && type->isSubtypeOf(*c10::OptionalType::ofTensor());
}

bool is_given(const std::string& name, const ModelOptions& o) {
  return o.shapes.contains(name) || o.input_files.contains(name);
}

}  // namespace

ScriptModel::ScriptModel(const ModelOptions& o, at::Device device) {
  torch::jit::ExtraFilesMap extra{{kDescriptionFile, ""}};
  guarded(fmt::format("cannot load '{}'", o.path), [&] {
    module_ = torch::jit::load(o.path, device, extra);
    module_.eval();
  });
  const Description description = parse_description(extra[kDescriptionFile], o.path);
  read_inputs(description, o);
  std::uint64_t count = 0, half = 0;
  for (const at::Tensor& p : module_.parameters()) {
    count += static_cast<std::uint64_t>(p.numel());
    if (p.scalar_type() == at::kHalf || p.scalar_type() == at::kBFloat16) half += static_cast<std::uint64_t>(p.numel());
  }
  half_ = 2 * half > count;
  parameters_ = description.parameters;
  if (!parameters_ && count > 0) parameters_ = count;  // a frozen module has none left
  convert(o);
  if (o.optimize) optimize(o);
}

void ScriptModel::read_inputs(const Description& description, const ModelOptions& o) {
  const auto forward = module_.find_method("forward");
  if (!forward)
    throw Error(ErrorCode::unsupported, fmt::format("cannot run '{}'", o.path), "its module has no forward");
  std::vector<std::string> names;
  const auto& arguments = forward->function().getSchema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {  // the first is the module itself, whatever it is called
    const c10::Argument& a = arguments[i];
    const bool tensor = a.type()->kind() == c10::TypeKind::TensorType && !a.default_value();
    if (tensor || (is_optional_tensor(a.type()) && is_given(a.name(), o))) {
      slots_.emplace_back(names.size());
      names.push_back(a.name());
    } else if (a.default_value() || is_optional_tensor(a.type())) {
      slots_.emplace_back(a.default_value().value_or(c10::IValue()));
    } else {
      throw Error(ErrorCode::unsupported, fmt::format("cannot feed input '{}'", a.name()),
                  fmt::format("it is of type {}, not a tensor", a.type()->repr_str()),
                  "Wrap the module in one that takes tensors, and save that.");
    }
  }
  inputs_ = declare(names, description, o);
}

// As torch.nn.Module.to does it: floating-point weights alone. Module::to would turn tables of indices into floats.
void ScriptModel::convert(const ModelOptions& o) {
  const auto type = converted_type(o.dtype);
  if (!type && o.layout.empty()) return;
  guarded(fmt::format("cannot convert '{}'", o.path), [&] {
    const at::NoGradGuard no_grad;
    const auto apply = [&](at::Tensor t) {
      if (!t.is_floating_point()) return;
      at::Tensor converted = type ? t.to(to_torch(*type)) : t.detach();
      if (const auto format = channels_last(t); format && !o.layout.empty()) converted = converted.contiguous(*format);
      t.set_data(converted);
    };
    for (const at::Tensor& t : module_.parameters()) apply(t);
    for (const at::Tensor& t : module_.buffers()) apply(t);
  });
}

void ScriptModel::optimize(const ModelOptions& o) {
  try {
    module_ = torch::jit::optimize_for_inference(module_);
    optimized_ = true;
  } catch (const std::exception& e) {
    const Error error = error_from(e, fmt::format("cannot optimise '{}'", o.path));
    throw Error(error.code(), error.thing(), error.cause(), "Try --no-optimize.");
  }
}

void ScriptModel::prepare(InputSet& set) const {
  for (const auto& slot : slots_) {
    const auto* index = std::get_if<std::size_t>(&slot);
    set.arguments.push_back(index ? c10::IValue(set.inputs[*index]) : std::get<c10::IValue>(slot));
  }
}

void ScriptModel::run(InputSet& set) {
  set.result = module_.forward(set.arguments);
}

std::vector<NamedTensor> ScriptModel::outputs(const InputSet& set) const {
  return flatten(set.result);
}

void ScriptModel::describe(Scalars& facts) const {
  facts["format"] = std::string("torchscript");
  facts["optimize"] = optimized_;
  if (half_) facts["weights"] = std::string("f16");
}

}  // namespace strobe::torch_plugin

// SPDX-License-Identifier: Apache-2.0
// A TorchScript file (.pt): its forward is called as Python would call it.
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <variant>

#include "workload/runtime/torch/description.h"
#include "workload/runtime/torch/model.h"

namespace strobe::torch_plugin {

class ScriptModel final : public Model {
 public:
  ScriptModel(const ModelOptions&, at::Device);

  const std::vector<DeclaredInput>& inputs() const override { return inputs_; }
  void prepare(InputSet&) const override;
  void run(InputSet&) override;
  std::vector<NamedTensor> outputs(const InputSet&) const override;
  std::optional<std::uint64_t> parameters() const override { return parameters_; }
  void describe(Scalars& facts) const override;

 private:
  void read_inputs(const Description&, const ModelOptions&);
  void convert(const ModelOptions&);
  void optimize(const ModelOptions&);

  torch::jit::Module module_;
  std::vector<DeclaredInput> inputs_;
  // What each argument of forward gets: the input of that index, or a value that is always the same.
  std::vector<std::variant<std::size_t, c10::IValue>> slots_;
  std::optional<std::uint64_t> parameters_;
  bool optimized_ = false;
  bool half_ = false;  // most of its parameters have 16 bits, whatever its inputs have
};

}  // namespace strobe::torch_plugin

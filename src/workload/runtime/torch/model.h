// SPDX-License-Identifier: Apache-2.0
// A model that torch has loaded: a TorchScript module or a compiled package. It knows its inputs and how it is called;
// where tensors live, on which stream, and when, is the session's matter.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "workload/tensor/input_plan.h"

namespace strobe::torch_plugin {

// One input set: what goes in, and what came out of its last request.
struct InputSet {
  std::vector<at::Tensor> inputs;      // in the order of Model::inputs()
  std::vector<c10::IValue> arguments;  // the same as TorchScript takes them
  c10::IValue result;                  // of TorchScript
  std::vector<at::Tensor> results;     // of a package
  std::vector<at::Tensor> gathered;    // outputs with gaps, in one piece as they were last copied to the host
};

struct NamedTensor {
  std::string name;
  at::Tensor tensor;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const std::vector<DeclaredInput>& inputs() const = 0;
  virtual void prepare(InputSet&) const {}  // once its inputs are there
  virtual void run(InputSet&) = 0;          // the thread is in inference mode and on the session's stream
  virtual std::vector<NamedTensor> outputs(const InputSet&) const = 0;
  virtual std::optional<std::uint64_t> parameters() const = 0;
  virtual void describe(Scalars& /*facts*/) const {}
};

}  // namespace strobe::torch_plugin

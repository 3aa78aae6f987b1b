// SPDX-License-Identifier: Apache-2.0
// What an ONNX model says about its inputs and outputs, and which shapes of outputs follow from those of the inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/runtime/onnxruntime/api.h"
#include "workload/tensor/input_plan.h"

namespace strobe::onnxruntime {

struct DeclaredOutput {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> dims;
  std::vector<std::string> symbols;
};

struct Declarations {
  std::vector<DeclaredInput> inputs;
  std::vector<DeclaredOutput> outputs;
};

// Anything but a dense tensor of numbers is refused.
Declarations read_declarations(const Ort::Session&);

// A dimension that no input decides is -1.
std::vector<std::int64_t> known_shape(const DeclaredOutput&, const std::vector<DeclaredInput>&,
                                      const std::vector<PlannedInput>&);
// None: a dimension is not known.
std::optional<std::size_t> known_bytes(TensorType, const std::vector<std::int64_t>& shape);

// What whoever made the file wrote into it.
std::optional<std::string> metadata(const Ort::Session&, const std::string& key);

}  // namespace strobe::onnxruntime

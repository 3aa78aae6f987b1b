// SPDX-License-Identifier: Apache-2.0
// What a model says about its inputs and outputs. OpenVINO does not keep the names of dynamic dimensions.
#pragma once

#include <string>
#include <vector>

#include "workload/runtime/openvino/api.h"
#include "workload/tensor/input_plan.h"

namespace strobe::openvino {

struct DeclaredOutput {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> dims;  // -1: only a request can tell
};

// Anything but a dense tensor of numbers is refused.
std::vector<DeclaredInput> read_inputs(const ov_model_t*);
// Of what was compiled: shapes of inputs have decided those of outputs.
std::vector<DeclaredOutput> read_outputs(const ov_compiled_model_t*);

}  // namespace strobe::openvino

// SPDX-License-Identifier: Apache-2.0
// What a model returns, whatever its nesting: every tensor in it, with a name that says where it was.
#pragma once

#include "workload/runtime/torch/model.h"
#include "workload/tensor/output_check.h"

namespace strobe::torch_plugin {

// "output", "output.0", "output.boxes", "output.0.mask"; numbers count as tensors without dimensions, None and text do
// not count.
std::vector<NamedTensor> flatten(const c10::IValue&);
std::vector<NamedTensor> flatten(const std::vector<at::Tensor>&);

// On the host, dense, of a type we have; on the caller's current stream, which is waited for.
Outputs to_host(const std::vector<NamedTensor>&);

// Its type as records name it: ours, else torch's word.
std::string type_name(const at::Tensor&);

}  // namespace strobe::torch_plugin

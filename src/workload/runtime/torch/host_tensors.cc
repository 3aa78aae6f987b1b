// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/host_tensors.h"

#include <ATen/ATen.h>

#include "workload/runtime/torch/errors.h"
#include "workload/runtime/torch/outputs.h"

namespace strobe::torch_plugin {

HostTensors::HostTensors(Session& session, Model& model, std::optional<c10::Stream> torch_stream, c10::Device device,
                         const std::vector<InputSet>& sets)
    : SessionForm(session), model_(model), torch_stream_(torch_stream), device_(device) {
  const OnStream on(torch_stream_);
  for (const InputSet& set : sets) {
    auto& tensors = inputs_.emplace_back();
    for (const at::Tensor& t : set.inputs) tensors.push_back(t.to(at::kCPU));
  }
}

void HostTensors::submit(std::size_t request) {
  const OnStream on(torch_stream_);
  try {
    InputSet moved;
    for (const at::Tensor& t : inputs_[request % inputs_.size()]) moved.inputs.push_back(t.to(device_));
    model_.prepare(moved);
    model_.run(moved);
    results_ = model_.outputs(moved);
    for (NamedTensor& out : results_) out.tensor = out.tensor.to(at::kCPU);
  } catch (const std::exception& e) {
    throw seen_through(error_from(e, "cannot run with tensors on the host"), stream());
  }
}

std::vector<std::vector<std::byte>> HostTensors::outputs(std::size_t set) {
  submit(set);
  return strobe::bytes_of(to_host(results_));
}

}  // namespace strobe::torch_plugin

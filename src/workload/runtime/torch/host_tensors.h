// SPDX-License-Identifier: Apache-2.0
// What most callers do: tensors in ordinary memory are moved to the device, the model runs, and all that it returns is
// moved back. Memory is allocated and waited for as torch does it.
#pragma once

#include <optional>
#include <vector>

#include "workload/runtime/session_form.h"
#include "workload/runtime/torch/model.h"
#include "workload/runtime/torch/on_stream.h"

namespace strobe::torch_plugin {

class HostTensors final : public SessionForm {
 public:
  // Copies what is in `sets`. Session and model outlive this.
  HostTensors(Session&, Model&, std::optional<c10::Stream>, c10::Device, const std::vector<InputSet>& sets);

  void submit(std::size_t request) override;
  std::vector<std::vector<std::byte>> outputs(std::size_t set) override;

 private:
  Model& model_;
  std::optional<c10::Stream> torch_stream_;
  c10::Device device_;
  std::vector<std::vector<at::Tensor>> inputs_;  // of each input set, on the host
  std::vector<NamedTensor> results_;             // of the last request, on the host
};

}  // namespace strobe::torch_plugin

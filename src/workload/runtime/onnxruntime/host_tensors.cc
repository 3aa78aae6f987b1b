// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/host_tensors.h"

#include "workload/runtime/onnxruntime/element_type.h"

namespace strobe::onnxruntime {

HostTensors::HostTensors(Session& of, Ort::Session& session, const std::vector<PlannedInput>& inputs,
                         std::vector<std::vector<std::vector<std::byte>>> values,
                         const std::vector<std::string>& outputs)
    : SessionForm(of), session_(session), values_(std::move(values)), output_names_(outputs) {
  const auto host = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  for (auto& set : values_) {
    auto& tensors = tensors_.emplace_back();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      tensors.push_back(Ort::Value::CreateTensor(host, set[i].data(), set[i].size(), inputs[i].shape.data(),
                                                 inputs[i].shape.size(), to_onnx(inputs[i].type)));
  }
  for (const PlannedInput& in : inputs) input_names_.push_back(in.name);
  for (const std::string& name : input_names_) inputs_.push_back(name.c_str());
  for (const std::string& name : output_names_) outputs_.push_back(name.c_str());
}

void HostTensors::submit(std::size_t request) {
  const std::vector<Ort::Value>& tensors = tensors_[request % tensors_.size()];
  try {
    session_.Run(options_, inputs_.data(), tensors.data(), tensors.size(), outputs_.data(), outputs_.size());
  } catch (const Ort::Exception& e) {
    throw error_from(e, "cannot run with tensors on the host");
  }
}

}  // namespace strobe::onnxruntime

#include "workload/onnxruntime/host_tensors.h"

#include "workload/onnxruntime/element_type.h"

namespace strobe::onnxruntime {

HostTensors::HostTensors(Ort::Session& session, Stream& stream, std::size_t items,
                         const std::vector<PlannedInput>& inputs,
                         std::vector<std::vector<std::vector<std::byte>>> values,
                         const std::vector<std::string>& outputs)
    : session_(session), stream_(stream), items_(items), values_(std::move(values)) {
  const auto host = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  for (auto& tensors : values_) {
    Ort::IoBinding binding(session_);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const PlannedInput& in = inputs[i];
      binding.BindInput(in.name.c_str(), Ort::Value::CreateTensor(host, tensors[i].data(), tensors[i].size(),
                                                                  in.shape.data(), in.shape.size(), to_onnx(in.type)));
    }
    for (const std::string& name : outputs) binding.BindOutput(name.c_str(), host);
    bindings_.push_back(std::move(binding));
  }
}

void HostTensors::submit(std::size_t request) {
  try {
    session_.Run(options_, bindings_[request % bindings_.size()]);
  } catch (const Ort::Exception& e) {
    throw error_from(e, "cannot run with tensors on the host");
  }
}

}  // namespace strobe::onnxruntime

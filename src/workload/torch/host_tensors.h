// What most callers do: tensors in ordinary memory are moved to the device, the model runs, and all that it returns is
// moved back. Memory is allocated and waited for as torch does it.
#pragma once

#include <optional>
#include <vector>

#include "workload/torch/model.h"
#include "workload/torch/on_stream.h"

namespace strobe::torch_plugin {

class HostTensors final : public Session {
 public:
  // Copies what is in `sets`. Model and stream outlive this.
  HostTensors(Model&, Stream&, std::optional<c10::Stream>, c10::Device, const std::vector<InputSet>& sets,
              std::size_t items, ModelInfo);

  void submit(std::size_t request) override;
  Stream& stream() override { return stream_; }
  std::size_t items() const override { return items_; }
  std::size_t input_sets() const override { return inputs_.size(); }
  ModelInfo info() const override { return info_; }
  std::vector<std::vector<std::byte>> outputs(std::size_t set) override;

 private:
  Model& model_;
  Stream& stream_;
  std::optional<c10::Stream> torch_stream_;
  c10::Device device_;
  std::vector<std::vector<at::Tensor>> inputs_;  // of each input set, on the host
  std::vector<NamedTensor> results_;             // of the last request, on the host
  std::size_t items_;
  ModelInfo info_;
};

}  // namespace strobe::torch_plugin

// One model in torch on one device: every input set has its own tensors, filled before anything is measured. On a GPU
// the requests run on a stream of torch's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/host_twins.h"
#include "workload/input_plan.h"
#include "workload/output_check.h"
#include "workload/torch/model.h"
#include "workload/torch/on_stream.h"
#include "workload/torch/settings.h"

namespace strobe::torch_plugin {

class TorchSession final : public Session {
 public:
  TorchSession(const ModelOptions&, Device&, const Flags&, std::string runtime_version);
  ~TorchSession() override;
  TorchSession(const TorchSession&) = delete;
  TorchSession& operator=(const TorchSession&) = delete;

  void submit(std::size_t request) override;
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }
  std::size_t input_sets() const override { return sets_.size(); }
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory) override;
  std::size_t copy_out(std::size_t request, Stream& on, HostMemory) override;
  Replay replay() override;
  std::unique_ptr<Workload> through_host() override;
  std::optional<OutputCheck> check() override;
  std::vector<std::vector<std::byte>> outputs(std::size_t set) override { return strobe::bytes_of(outputs_of(set)); }
  void check_again(OutputCheck&) override;
  ModelInfo info() const override;
  std::optional<ValueShares> input_values() const override;
  std::optional<std::uint64_t> device_allocations() const override;

 private:
  void open_model();
  void fill(InputSet&, std::size_t index);
  Outputs outputs_of(std::size_t set);
  at::Tensor gathered(const at::Tensor&, InputSet&, std::size_t output, Stream& on) const;

  ModelOptions options_;
  Device& device_;
  c10::Device torch_device_;
  Flags flags_;
  std::optional<c10::Stream> torch_stream_;  // none on the CPU
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Model> model_;
  std::vector<PlannedInput> planned_;
  std::vector<InputSet> sets_;
  std::vector<HostTwins> twins_;  // of each input set
  std::size_t items_ = 1;
  Outputs first_outputs_;  // of the first set, when they were checked
  std::string runtime_version_;
};

}  // namespace strobe::torch_plugin

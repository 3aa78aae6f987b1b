// SPDX-License-Identifier: Apache-2.0
// One model in torch on one device: every input set has its own tensors, filled before anything is measured. On a GPU
// the requests run on a stream of torch's own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "workload/runtime/session_base.h"
#include "workload/runtime/torch/model.h"
#include "workload/runtime/torch/on_stream.h"
#include "workload/runtime/torch/operator_ranges.h"
#include "workload/runtime/torch/settings.h"
#include "workload/runtime/torch/torch_memory.h"

namespace strobe::torch_plugin {

class TorchSession final : public SessionBase {
 public:
  TorchSession(const Runtime&, const ModelOptions&, Device&, const Flags&);
  ~TorchSession() override;

  Replay replay() override;
  std::unique_ptr<Workload> through_host() override;
  std::optional<std::uint64_t> device_allocations() const override;
  Profiling profile() override;
  AllocatorReading allocator() override;
  Allocations allocations() override;

 private:
  // The stream is none on the CPU.
  TorchSession(const Runtime&, const ModelOptions&, Device&, const Flags&, std::optional<c10::Stream>);
  at::Tensor gathered(const at::Tensor&, InputSet&, std::size_t output, Stream& on) const;

  Error error_from(const std::exception&, const std::string& what) const override;
  SetMemory bind(std::size_t set) override;
  void run(std::size_t set) override;
  void describe(ModelInfo&) const override;
  void find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found) override;
  Outputs read_outputs(std::size_t set) override;

  c10::Device torch_device_;
  Flags flags_;
  std::optional<c10::Stream> torch_stream_;
  std::unique_ptr<TorchMemory> recorder_;  // null: nobody asked
  std::unique_ptr<Model> model_;
  std::vector<InputSet> sets_;
  OperatorRanges ranges_;
};

}  // namespace strobe::torch_plugin

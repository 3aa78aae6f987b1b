// One ONNX model on the CPU: every input set has its own buffers and its own binding, made before anything is measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/buffer.h"
#include "workload/input_plan.h"
#include "workload/onnxruntime/api.h"
#include "workload/output_check.h"

namespace strobe::onnxruntime {

struct DeclaredOutput {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> dims;
  std::vector<std::string> symbols;
};

class OnnxSession final : public Session {
 public:
  OnnxSession(Ort::Env& env, const ModelOptions& options, Device& device, std::string runtime_version);

  void submit(std::size_t request) override;
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }
  std::size_t input_sets() const override { return sets_.size(); }
  std::optional<OutputCheck> check() override;
  ModelInfo info() const override;
  std::optional<double> input_zero_share() const override;

 private:
  struct Set {
    std::vector<Buffer> inputs, outputs;
    Ort::IoBinding binding{nullptr};
  };
  void read_declarations();
  void fill(Set&, std::size_t index);
  void bind_outputs(Set&);
  Outputs outputs_of(std::size_t set);

  ModelOptions options_;
  Device& device_;
  std::unique_ptr<Stream> stream_;
  Ort::Session session_{nullptr};
  Ort::MemoryInfo memory_{nullptr};
  Ort::RunOptions run_options_;
  std::vector<DeclaredInput> declared_;
  std::vector<DeclaredOutput> declared_outputs_;
  std::vector<PlannedInput> planned_;
  std::vector<Set> sets_;
  std::size_t items_ = 1;
  std::string runtime_version_;
  bool ran_ = false;
};

}  // namespace strobe::onnxruntime

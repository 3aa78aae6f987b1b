// One ONNX model on the CPU or a GPU: every input set has its own buffers and its own binding, made before anything is
// measured. A graph session is one of these, too: ONNX Runtime captures by itself, once per input set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/host_twins.h"
#include "workload/input_plan.h"
#include "workload/onnxruntime/api.h"
#include "workload/onnxruntime/session_settings.h"
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
  OnnxSession(Ort::Env& env, const ModelOptions& options, Device& device, std::string runtime_version,
              SessionUse use = {});
  ~OnnxSession() override;

  void submit(std::size_t request) override;
  Stream& stream() override { return *stream_; }
  std::size_t items() const override { return items_; }
  std::size_t input_sets() const override { return sets_.size(); }
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory) override;
  std::size_t copy_out(std::size_t request, Stream& on, HostMemory) override;
  Replay replay() override;
  std::unique_ptr<Workload> through_host() override;
  std::optional<OutputCheck> check() override;
  void check_again(OutputCheck&) override;
  ModelInfo info() const override;
  std::optional<ValueShares> input_values() const override;
  std::optional<WorkObservation> inspect() override;
  std::vector<std::vector<std::byte>> outputs(std::size_t set) override { return bytes_of(outputs_of(set)); }

 private:
  struct Set {
    std::vector<Buffer> inputs, outputs;
    HostTwins twins;  // on a GPU: what is copied in and out
    Ort::IoBinding binding{nullptr};
    Ort::RunOptions run_options;
  };
  void read_declarations();
  void check_memory(std::size_t sets) const;
  void fill(Set&, std::size_t index);
  void bind_outputs(Set&);
  TensorBuffers& twins_of(Set&, HostMemory);
  std::size_t copy_allocated(const Set&, Stream& on, std::vector<Buffer>& hosts, Place);
  Outputs outputs_of(std::size_t set);

  Ort::Env& env_;
  ModelOptions options_;
  Device& device_;
  bool on_gpu_;
  SessionUse use_;
  std::unique_ptr<Stream> stream_;
  Ort::Session session_{nullptr};
  Ort::MemoryInfo memory_{nullptr};
  std::vector<DeclaredInput> declared_;
  std::vector<DeclaredOutput> declared_outputs_;
  std::vector<PlannedInput> planned_;
  std::vector<Set> sets_;
  std::size_t items_ = 1;
  std::string math_;       // type of the numbers in most of its operations; empty until it was inspected
  Outputs first_outputs_;  // of the first set, when they were checked
  std::string runtime_version_;
  std::size_t threads_ = 1;  // that a request runs on, on the CPU
  bool ran_ = false;
};

}  // namespace strobe::onnxruntime

// SPDX-License-Identifier: Apache-2.0
// One ONNX model on the CPU or a GPU: every input set has its own buffers and its own binding, made before anything is
// measured. A graph session is one of these, too: ONNX Runtime captures by itself, once per input set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/runtime/onnxruntime/declarations.h"
#include "workload/runtime/onnxruntime/recording_allocator.h"
#include "workload/runtime/onnxruntime/session_settings.h"
#include "workload/runtime/session_base.h"

namespace strobe::onnxruntime {

class OnnxSession final : public SessionBase {
 public:
  OnnxSession(const Runtime&, Ort::Env&, const ModelOptions&, Device&, SessionUse = {});
  ~OnnxSession() override;

  Replay replay() override;
  std::unique_ptr<Workload> through_host() override;
  std::optional<WorkObservation> inspect() override;
  Profiling profile() override;
  AllocatorReading allocator() override;
  Allocations allocations() override;

  // Of one that was made for a profile: ends it, and gives what was written.
  std::string end_profile();
  std::chrono::nanoseconds profile_begin() const;  // on the system's clock

 private:
  struct Binding {
    Ort::IoBinding tensors{nullptr};
    Ort::RunOptions options;
  };
  void load();
  std::vector<std::int64_t> shape_of(const DeclaredOutput&) const;
  Ort::Value tensor(std::span<std::byte>, TensorType, const std::vector<std::int64_t>& shape) const;

  Error error_from(const std::exception&, const std::string& what) const override;
  SetMemory bind(std::size_t set) override;
  void run(std::size_t set) override;
  void describe(ModelInfo&) const override;
  std::uint64_t output_bytes() const override;
  void find_outputs(std::size_t set, Stream& on, std::vector<OutputView>& found) override;

  Ort::Env& env_;
  bool on_gpu_;
  SessionUse use_;
  std::unique_ptr<RecordingAllocator> recorder_;  // null: the session has its own arena
  Ort::Session session_{nullptr};
  Ort::MemoryInfo memory_info_{nullptr};
  Declarations declared_;
  // Of each input set. They, and what the runtime allocated for them, go before the session.
  std::vector<Binding> bindings_;
  std::string math_;         // type of the numbers in most of its operations; empty until it was inspected
  std::size_t threads_ = 1;  // that a request runs on, on the CPU
  bool ran_ = false;
};

}  // namespace strobe::onnxruntime

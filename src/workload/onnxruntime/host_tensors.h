// What most callers do: tensors on the host go in and come out, and the runtime copies and waits as it likes. The
// memory is pageable, as a caller's usually is.
#pragma once

#include <string>
#include <vector>

#include "workload/input_plan.h"
#include "workload/onnxruntime/api.h"

namespace strobe::onnxruntime {

class HostTensors final : public Workload {
 public:
  // `values` by input set and input. The session and the stream outlive this.
  HostTensors(Ort::Session& session, Stream& stream, std::size_t items, const std::vector<PlannedInput>& inputs,
              std::vector<std::vector<std::vector<std::byte>>> values, const std::vector<std::string>& outputs);

  void submit(std::size_t request) override;
  Stream& stream() override { return stream_; }
  std::size_t items() const override { return items_; }
  std::size_t input_sets() const override { return bindings_.size(); }

 private:
  Ort::Session& session_;
  Stream& stream_;
  std::size_t items_;
  std::vector<std::vector<std::vector<std::byte>>> values_;
  std::vector<Ort::IoBinding> bindings_;
  Ort::RunOptions options_;
};

}  // namespace strobe::onnxruntime

// SPDX-License-Identifier: Apache-2.0
// What most callers do: tensors on the host go in and come out with each run, and the runtime copies and waits as it
// likes. (A binding would copy its inputs once, when they are bound.) The memory is pageable, as a caller's usually is.
#pragma once

#include <string>
#include <vector>

#include "workload/runtime/onnxruntime/api.h"
#include "workload/runtime/session_form.h"
#include "workload/tensor/input_plan.h"

namespace strobe::onnxruntime {

class HostTensors final : public SessionForm {
 public:
  // `values` by input set and input. Both sessions outlive this.
  HostTensors(Session& of, Ort::Session& session, const std::vector<PlannedInput>& inputs,
              std::vector<std::vector<std::vector<std::byte>>> values, const std::vector<std::string>& outputs);

  void submit(std::size_t request) override;

 private:
  Ort::Session& session_;
  std::vector<std::vector<std::vector<std::byte>>> values_;
  std::vector<std::vector<Ort::Value>> tensors_;  // views of the values
  std::vector<std::string> input_names_, output_names_;
  std::vector<const char*> inputs_, outputs_;  // the same, as the library wants them
  Ort::RunOptions options_;
};

}  // namespace strobe::onnxruntime

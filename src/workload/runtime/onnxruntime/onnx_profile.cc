// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/onnxruntime/onnx_profile.h"

#include "workload/runtime/onnxruntime/profile_probe.h"

namespace strobe::onnxruntime {

std::vector<ProfiledRequest> OnnxProfile::take() {
  return read_runs(session_.end_profile());
}

}  // namespace strobe::onnxruntime

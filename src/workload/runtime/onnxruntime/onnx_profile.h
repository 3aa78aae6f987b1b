// SPDX-License-Identifier: Apache-2.0
// A session under ONNX Runtime's own profiler, which writes to a file until it is ended.
#pragma once

#include <string>
#include <vector>

#include "host/file.h"
#include "workload/runtime/onnxruntime/onnx_session.h"

namespace strobe::onnxruntime {

class OnnxProfile final : public Profiled {
 public:
  OnnxProfile(const Runtime& runtime, Ort::Env& env, const ModelOptions& model, Device& where)
      : on_gpu_(where.info().kind == "cuda"),
        session_(runtime, env, model, where, {.graph = false, .profile = (folder_.path() / "profile").string()}) {}

  Workload& workload() override { return session_; }
  std::vector<ProfiledRequest> take() override;
  std::string about() const override;

 private:
  const bool on_gpu_;
  TemporaryFolder folder_;  // the file goes with it, also where a request fails
  OnnxSession session_;
};

}  // namespace strobe::onnxruntime

// SPDX-License-Identifier: Apache-2.0
// What --threads and --set mean to ONNX Runtime. Keys it does not know are errors here, because the library takes any.
#pragma once

#include "workload/runtime/onnxruntime/api.h"
#include "workload/runtime/runtime.h"

namespace strobe::onnxruntime {

// What a session is for. A graph session captures each request when it is first run and replays it after that; a
// profiled one writes where its time went to files that begin with `profile`.
struct SessionUse {
  bool graph = false;
  std::string profile = {};
};

// `device` decides the provider; on a GPU everything is queued on `stream`.
Ort::SessionOptions session_options(const ModelOptions&, const Device& device, Stream& stream, const SessionUse& use);

// Is TF32 allowed to stand in for float32 by these settings, on a GPU that has it?
bool tf32_allowed(const ModelOptions&);

}  // namespace strobe::onnxruntime

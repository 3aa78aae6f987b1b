// What --threads and --set mean to ONNX Runtime. Keys it does not know are errors here, because the library takes any.
#pragma once

#include "workload/onnxruntime/api.h"
#include "workload/runtime.h"

namespace strobe::onnxruntime {

Ort::SessionOptions session_options(const ModelOptions&);

}  // namespace strobe::onnxruntime

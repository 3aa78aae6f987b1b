// SPDX-License-Identifier: Apache-2.0
// What the allocator of a session tells of itself: from ONNX Runtime 1.23 on, whose interface is newer than our
// headers.
#pragma once

#include <strobe/workload.h>

#include "workload/runtime/onnxruntime/api.h"

namespace strobe::onnxruntime {

// `version`: of the library, "1.31.1".
AllocatorReading arena_of(const Ort::Session&, const OrtMemoryInfo*, const std::string& version);

}  // namespace strobe::onnxruntime

// SPDX-License-Identifier: Apache-2.0
// What ONNX Runtime's own profiler says of one request: which operators ran, where, on what shapes.
#pragma once

#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe::onnxruntime {

struct Profile {
  WorkObservation work;  // its bytes are those of parameters alone; the caller knows the rest
  std::string math;      // type of the numbers in most of its operations, as ONNX Runtime calls it: "float16"
};

// From the text of a profile with one run in it. Throws Error when it is not a profile.
Profile read_profile(std::string_view json);

}  // namespace strobe::onnxruntime

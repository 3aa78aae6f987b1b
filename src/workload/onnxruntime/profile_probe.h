// What ONNX Runtime's own profiler says of one request: which operators ran, where, on what shapes.
#pragma once

#include <string_view>

#include <strobe/record.h>

namespace strobe::onnxruntime {

// From the text of a profile with one run in it. Bytes are those of parameters alone; the caller knows the rest.
// Throws Error when it is not a profile.
WorkObservation read_profile(std::string_view json);

}  // namespace strobe::onnxruntime

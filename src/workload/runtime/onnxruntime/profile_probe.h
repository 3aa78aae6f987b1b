// SPDX-License-Identifier: Apache-2.0
// What ONNX Runtime's own profiler says of requests: which operators ran, where, on what shapes, and when.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>
#include <strobe/workload.h>

namespace strobe::onnxruntime {

struct Profile {
  WorkObservation work;  // its bytes are those of parameters alone; the caller knows the rest
  std::string math;      // type of the numbers in most of its operations, as ONNX Runtime calls it: "float16"
};

// From the text of a profile with one run in it. Throws Error when it is not a profile.
Profile read_profile(std::string_view json);

// The operators of every run in it, in the order of their begins, each run from the begin of the profile on. Times
// there are whole microseconds, rounded down.
std::vector<ProfiledRequest> read_runs(std::string_view json);

}  // namespace strobe::onnxruntime

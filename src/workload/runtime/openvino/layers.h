// SPDX-License-Identifier: Apache-2.0
// What OpenVINO's own profiler says of the layers of a compiled model. On the CPU a time is the average over all
// requests since the model was compiled, the first one too, each in whole microseconds and rounded down; and a layer
// that takes less than one is said not to have run. So what ran is told by how it was computed, and times of some
// requests follow from two readings.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "workload/runtime/openvino/api.h"

namespace strobe::openvino {

struct Layer {
  std::string name;    // in the compiled model: of several that were fused the last
  std::string type;    // "Convolution"
  std::string kernel;  // how it is computed: "brgconv_avx512_f32"
  bool runs = false;   // else it was fused into another, or is an input or an output
  std::chrono::microseconds average{};
};

// Up to now, in the order of execution. The request's model was compiled with PERF_COUNT.
std::vector<Layer> read_layers(ov_infer_request_t*);

WorkObservation work_of(std::span<const Layer>, bool on_cpu);

}  // namespace strobe::openvino

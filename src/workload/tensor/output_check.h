// SPDX-License-Identifier: Apache-2.0
// What a model's outputs say about its requests: are they finite, the same each time, and different for different
// inputs? Runtimes bring the outputs as plain bytes; how they were produced is their matter.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <strobe/workload.h>

#include "workload/tensor/input_plan.h"

namespace strobe {

struct OutputTensor {
  TensorType type = TensorType::f32;
  std::vector<std::byte> bytes;

  bool operator==(const OutputTensor&) const = default;
};
using Outputs = std::vector<OutputTensor>;

// An output where a request left it: in the device's memory where it has its own, otherwise in the host's.
struct OutputView {
  TensorType type = TensorType::f32;
  std::span<std::byte> bytes;
};

std::vector<std::vector<std::byte>> bytes_of(Outputs);

// Threads and fused operators may add in another order: this much two runs of the same input may differ, of the largest
// value. With TF32 a product of f32 has as many bits as one of f16.
double tolerance_of(TensorType, bool tf32);

// `run` gives the outputs of an input set; it is called twice for each, up to kMostCheckedSets. Those of the first set
// go into `kept`.
OutputCheck check_outputs(const std::vector<PlannedInput>&, std::size_t sets,
                          const std::function<Outputs(std::size_t set)>& run, bool tf32, Outputs* kept = nullptr);

// Adds to a check what the outputs of the first set are after the last request.
void compare_late(const Outputs& kept, const Outputs& late, bool tf32, OutputCheck&);

// Whether two programs computed the same within tolerance; else why not, in a phrase. What is not finite in both is the
// same.
std::string why_outputs_differ(const Outputs& a, const Outputs& b, bool tf32);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Which inputs a model gets: what the model declares, what the user asked for, and every way the two can disagree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workload/tensor/model_options.h"
#include "workload/tensor/npy.h"

namespace strobe {

struct DeclaredInput {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> dims;    // -1: dynamic
  std::vector<std::string> symbols;  // names of dynamic dimensions; empty where there is none
  std::optional<ShapeText> usual;    // a shape that the file itself proposes
};

struct PlannedInput {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;
  std::optional<NpyArray> values;  // else random
  std::optional<ValueRange> range;
  std::optional<std::size_t> batch_dimension = {};  // that --batch sets

  std::size_t bytes() const;
  std::string source() const;  // for the record
};

// Throws a usage Error about a name the user used that the model does not have. plan_inputs does so as well; by itself
// it is for runtimes that learn from the user what else there is to know about an input.
void check_input_names(const std::vector<DeclaredInput>&, const ModelOptions&);

// Throws a usage Error that names the input and prints the option to type.
std::vector<PlannedInput> plan_inputs(const std::vector<DeclaredInput>&, const ModelOptions&);

// Throws out_of_memory when `sets` of these inputs do not fit into `available`: asking is cheaper than being killed.
// `more` is what else is known to be needed.
void check_fits(const std::vector<PlannedInput>&, std::size_t sets, std::optional<Bytes> available,
                std::uint64_t more = 0);

// The batch; where no input has one, the first input's first dimension.
std::size_t items_of(const std::vector<PlannedInput>&);

}  // namespace strobe

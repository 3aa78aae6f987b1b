// SPDX-License-Identifier: Apache-2.0
// What a file says about its own inputs, where its exporter wrote it down (strobe.json in a .pt, the metadata of a
// .pt2), and what is assumed where nobody did. Torch itself stores neither shapes nor types.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workload/tensor/input_plan.h"

namespace strobe::torch_plugin {

struct Description {
  std::vector<DeclaredInput> inputs;
  std::optional<std::uint64_t> parameters;
  std::optional<std::int64_t> least_batch, most_batch;  // it was compiled for these and those between
};

constexpr const char* kDescriptionFile = "strobe.json";

// {"inputs": [{"name": "input", "type": "f32", "dims": [-1, 3, 224, 224], "usual": [1, 3, 224, 224]}],
//  "parameters": 11689512, "least_batch": 2, "most_batch": 64}. Empty text: an empty description. Throws Error when it
//  cannot be read.
Description parse_description(const std::string& text, const std::string& path);

// The named inputs with what is known of them: from the description, else from --shape or --input, which then decide
// rank and type. Throws a usage Error that prints the options to type for all whose shape nobody gave.
std::vector<DeclaredInput> declare(const std::vector<std::string>& names, const Description&, const ModelOptions&);

}  // namespace strobe::torch_plugin

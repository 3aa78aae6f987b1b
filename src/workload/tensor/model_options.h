// SPDX-License-Identifier: Apache-2.0
// How to load and feed a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <strobe/model.h>

#include "base/parse.h"
#include "workload/tensor/option_names.h"
#include "workload/tensor/tensor_values.h"

namespace strobe {

// Requests that the runtime makes beside each other, on streams of its own; 0: as many as it thinks best.
struct AtOnce {
  std::size_t streams = 0, in_flight = 0;  // the latter on each of them
};

struct ModelOptions {
  std::string path;
  std::optional<std::int64_t> batch;               // before what `shapes` says of that dimension
  std::map<std::string, ShapeText> shapes;         // by name of an input or of a dimension
  std::map<std::string, std::string> input_files;  // by input name, .npy
  std::map<std::string, ValueRange> input_ranges;  // by input name; "*" for all others
  std::optional<int> threads;
  std::map<std::string, std::string> settings;  // passed through to the runtime
  std::string dtype;                            // fp16, bf16: weights and inputs converted; empty: as the model is
  std::string layout;                           // channels_last; empty: as the model is
  bool optimize = true;                         // the runtime's own optimisation for inference
  std::uint64_t seed = 1;
  InputSets input_sets;
  void* stream = nullptr;  // native: the queue to work on, where sessions share one; null: the session makes its own
  std::optional<AtOnce> at_once;                // only of a runtime with such streams; none: one request at a time
  bool repeat_items = false;                    // every item of a batch is the one that a batch of 1 would have
  bool record_memory = false;                   // allocations, from the load on, where the runtime can
  std::function<void(const std::string&)> log;  // the runtime's own warnings
  OptionNames names;                            // what complaints call all of this
};

}  // namespace strobe

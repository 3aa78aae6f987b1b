// SPDX-License-Identifier: Apache-2.0
// What --threads and --set mean to OpenVINO: properties, as pairs of texts. A key that its device does not have is an
// error that lists those it has.
#pragma once

#include <map>
#include <string>

#include "workload/runtime/openvino/api.h"
#include "workload/tensor/model_options.h"

namespace strobe::openvino {

using Properties = std::map<std::string, std::string>;

// Where a model is compiled for: a device as OpenVINO calls it.
struct Target {
  const ov_core_t* core = nullptr;
  std::string device = "CPU";
};

// Latency first, which is one stream, unless requests are to be made beside each other or the user says otherwise.
Properties properties_of(const ModelOptions&, const Target&);

// What was really taken, as it was asked for or chosen; empty where the library does not say.
std::string property_of(const ov_compiled_model_t*, const std::string& key);
std::string property_of(const Target&, const std::string& key);
std::size_t number_of(const ov_compiled_model_t*, const std::string& key);  // 0 where it is none

// As many pairs as there may be.
Owned<ov_compiled_model_t> compile(const Target&, const ov_model_t*, const Properties&);

}  // namespace strobe::openvino

// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files: one dense array, little endian, C order. Other layouts are refused with a reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "workload/tensor/tensor_type.h"

namespace strobe {

struct NpyArray {
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;
  std::string data;  // the bytes
};

NpyArray parse_npy(std::string_view file, const std::string& name);
NpyArray read_npy(const std::filesystem::path&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// With how many bits a model computes, as far as its runtime tells.
#pragma once

#include <algorithm>

#include "record/scalars.h"

namespace strobe {

// Products of float32 may be computed with 10 bits of mantissa.
inline bool allows_tf32(const ModelInfo& m) {
  const auto allowed = [&](const char* key) { return fact<bool>(m.facts, key).value_or(false); };
  return allowed("tf32") || allowed("tf32_cudnn") || allowed("tf32_matmul");
}

// Most of its operations are on numbers of 16 bits; where the runtime does not tell, its inputs do.
inline bool computes_in_half(const ModelInfo& m) {
  if (const auto math = fact<std::string>(m.facts, "math")) return *math == "float16" || *math == "bfloat16";
  if (const auto type = fact<std::string>(m.facts, "weights")) return *type == "f16" || *type == "bf16";
  return std::any_of(m.inputs.begin(), m.inputs.end(),
                     [](const TensorInfo& t) { return t.type == "f16" || t.type == "bf16"; });
}

inline bool computes_in_integers(const ModelInfo& m) {
  return fact<std::string>(m.facts, "math").value_or("").find("int") != std::string::npos;
}

}  // namespace strobe

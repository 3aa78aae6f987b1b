// With how many bits a model computes, as far as its runtime tells.
#pragma once

#include "record/scalars.h"

namespace strobe {

// Products of float32 may be computed with 10 bits of mantissa.
inline bool allows_tf32(const ModelInfo& m) {
  const auto allowed = [&](const char* key) { return fact<bool>(m.facts, key).value_or(false); };
  return allowed("tf32") || allowed("tf32_cudnn") || allowed("tf32_matmul");
}

}  // namespace strobe

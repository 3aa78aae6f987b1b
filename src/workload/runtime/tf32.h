// SPDX-License-Identifier: Apache-2.0
// Can products of float32 be computed in TF32 at all?
#pragma once

#include <cstdlib>
#include <string_view>

#include "record/scalars.h"

namespace strobe {

// From compute capability 8.0 on; and with the variable NVIDIA_TF32_OVERRIDE at 0 NVIDIA's libraries never do it,
// whatever a runtime asks for.
inline bool has_tf32(const DeviceInfo& device, const char* variable = std::getenv("NVIDIA_TF32_OVERRIDE")) {
  if (device.kind != "cuda" || (variable && std::string_view(variable) == "0")) return false;
  const auto capability = fact<std::string>(device.facts, "compute_capability");
  return !capability || std::atoi(capability->c_str()) >= 8;
}

}  // namespace strobe

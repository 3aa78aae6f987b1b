// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/launch_queues.h"

#include <cstdlib>
#include <filesystem>

namespace strobe::cuda {
namespace {

constexpr const char* kVariable = "CUDA_SCALE_LAUNCH_QUEUES";

}  // namespace

void deepen_launch_queues() {
  if (std::filesystem::exists("/etc/nv_tegra_release")) return;
  constexpr int kKeepTheUsers = 0;
  ::setenv(kVariable, "4x", kKeepTheUsers);
}

std::string launch_queues() {
  const char* value = std::getenv(kVariable);
  return value ? value : "";
}

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/version.h"

#include <fmt/format.h>

namespace strobe::torch_plugin {

std::string version_text(std::uint64_t abi_version) {
  return fmt::format("{}.{}.{}", abi_version >> 56 & 0xff, abi_version >> 48 & 0xff, abi_version >> 40 & 0xff);
}

}  // namespace strobe::torch_plugin

// SPDX-License-Identifier: Apache-2.0
// Torch's version as its library tells it.
#pragma once

#include <cstdint>
#include <string>

namespace strobe::torch_plugin {

// "2.11.0" of what aoti_torch_abi_version() gives.
std::string version_text(std::uint64_t abi_version);

}  // namespace strobe::torch_plugin

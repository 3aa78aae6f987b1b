// SPDX-License-Identifier: Apache-2.0
// What people call an operator of torch's: "conv2d" for "aten::conv2d".
#pragma once

#include <string_view>

namespace strobe::torch_plugin {

inline std::string_view operator_name(std::string_view name) {
  constexpr std::string_view kNamespace = "aten::";
  return name.starts_with(kNamespace) ? name.substr(kNamespace.size()) : name;
}

}  // namespace strobe::torch_plugin

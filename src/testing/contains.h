// SPDX-License-Identifier: Apache-2.0
// What tests of texts ask most.
#pragma once

#include <string_view>

namespace strobe::testing {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace strobe::testing

// SPDX-License-Identifier: Apache-2.0
// A text of the user's on its way to a worker, byte by byte: the name of a file is bytes, and JSON has only text.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace strobe {

inline nlohmann::json bytes_of_text(const std::string& text) {
  return std::vector<int>(text.begin(), text.end());
}

inline std::string text_of_bytes(const nlohmann::json& j) {
  std::string text;
  for (const int byte : j.get<std::vector<int>>()) text += static_cast<char>(byte);
  return text;
}

}  // namespace strobe

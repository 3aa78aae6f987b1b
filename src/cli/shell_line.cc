// SPDX-License-Identifier: Apache-2.0
#include "cli/shell_line.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace strobe::cli {
namespace {

// What no shell gives a meaning of its own, wherever it is in a word.
bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ||
         std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

// Within single quotes everything is itself but the quote, which ends them: '\'' ends, adds one, and begins again.
std::string for_shell(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + for_shell(word);
  return line;
}

}  // namespace strobe::cli

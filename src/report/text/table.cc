// SPDX-License-Identifier: Apache-2.0
#include "report/text/table.h"

#include <algorithm>

namespace strobe {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t to, bool right) {
  const std::string blanks(to > width(text) ? to - width(text) : 0, ' ');
  return right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string Table::render(std::string_view indent) const {
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i)
      line += (i ? "  " : "") + padded(row[i], widths[i], alignment_[i] == 'r');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace strobe

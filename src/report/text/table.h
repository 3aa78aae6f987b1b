// SPDX-License-Identifier: Apache-2.0
// Columns of text that line up on a terminal: widths are counted in characters, not in bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strobe {

std::size_t width(std::string_view);
std::string padded(std::string_view text, std::size_t to, bool right = false);

class Table {
 public:
  // One letter a column: 'l' left, 'r' right.
  explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::size_t rows() const { return rows_.size(); }
  std::string render(std::string_view indent = "") const;  // no blanks at the ends of lines

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace strobe

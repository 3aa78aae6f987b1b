// SPDX-License-Identifier: Apache-2.0
// Colours of the text on a terminal. Nothing is told by colour alone.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <strobe/record.h>

namespace strobe {

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string paint(std::string_view text, const char* code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  std::string bold(std::string_view text) const { return paint(text, "1"); }
  std::string faint(std::string_view text) const { return paint(text, "2"); }
  std::string of(Verdict v, std::string_view text) const {
    return paint(text, v == Verdict::trusted ? "32" : v == Verdict::caution ? "33" : "31");
  }

 private:
  bool color_;
};

}  // namespace strobe

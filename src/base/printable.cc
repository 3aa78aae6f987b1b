// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace strobe {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// Overlong forms, surrogates and what lies beyond Unicode are not UTF-8: terminals differ in what they make of them.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

// Controls (C0, DEL, C1), line separators, marks and overrides of direction, the byte order mark.
bool is_hidden(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr std::array<Range, 7> kHidden{{{0x00, 0x1f},
                                                 {0x7f, 0x9f},
                                                 {0x61c, 0x61c},
                                                 {0x200e, 0x200f},
                                                 {0x2028, 0x202e},
                                                 {0x2066, 0x2069},
                                                 {0xfeff, 0xfeff}}};
  return std::any_of(kHidden.begin(), kHidden.end(), [&](const Range& r) { return code >= r.first && code <= r.last; });
}

std::string shown(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(1, c.bytes);
    if (c.bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (is_hidden(c.code))
      out += shown(c.code);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace strobe

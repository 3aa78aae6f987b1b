// SPDX-License-Identifier: Apache-2.0
// A parser may refuse anything, but only with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <strobe/error.h>

namespace strobe::fuzz {

template <class Parse>
int parses_or_refuses(const std::uint8_t* data, std::size_t size, Parse&& parse) {
  try {
    parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace strobe::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "base/parse.h"
#include "refused.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return strobe::fuzz::parses_or_refuses(data, size, [](std::string_view text) { strobe::parse_time(text, "a time"); });
}

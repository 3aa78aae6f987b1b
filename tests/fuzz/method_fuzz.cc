// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "measure/method_axes.h"
#include "refused.h"

// What was read must be written as text that is read as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return strobe::fuzz::parses_or_refuses(data, size, [](std::string_view text) {
    const std::string once = strobe::method_text(strobe::parse_method(text));
    if (strobe::method_text(strobe::parse_method(once)) != once) std::abort();
  });
}

// SPDX-License-Identifier: Apache-2.0
#include "refused.h"
#include "workload/tensor/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return strobe::fuzz::parses_or_refuses(data, size, [](std::string_view text) { strobe::parse_npy(text, "a file"); });
}

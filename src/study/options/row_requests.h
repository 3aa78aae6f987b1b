// SPDX-License-Identifier: Apache-2.0
// The kind of value that --requests of `methods` has: a count of which each round reads its share. Fewer are another
// question, and the refusal says where its answer is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "option/kinds.h"

namespace strobe::kinds {

struct RowRequests : Count<> {
  static void read(const std::vector<std::string>& typed, std::string_view option, std::size_t& v);
  static void check(std::size_t v, std::string_view option);
};

}  // namespace strobe::kinds

// SPDX-License-Identifier: Apache-2.0
#include "study/options/row_requests.h"

#include <fmt/format.h>

namespace strobe::kinds {
namespace {

constexpr std::size_t kFewestOfRow = 5;

void refuse_few(std::size_t requests, std::string_view option) {
  if (requests >= kFewestOfRow) return;
  refuse(fmt::format("cannot use {} {}", option, requests),
         fmt::format("each row is read in {0} rounds, so it must be at least {0}", kFewestOfRow),
         "One cold call, timed as a first try does, is the method first-call (--methods first-call).");
}

}  // namespace

void RowRequests::read(const std::vector<std::string>& typed, std::string_view option, std::size_t& v) {
  Count::read(typed, option, v);
  refuse_few(v, option);
}

void RowRequests::check(std::size_t v, std::string_view option) {
  refuse_few(v, option);
  Count::check(v, option);
}

}  // namespace strobe::kinds

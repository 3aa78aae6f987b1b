// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/stage_colours.h"

#include <algorithm>

#include <fmt/format.h>

namespace strobe::page {

std::vector<std::string> stage_names(const Record& r) {
  std::vector<std::string> names;
  for (const Case& c : r.cases) {
    for (const Stage& s : c.stages) {
      if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    }
  }
  return names;
}

std::string stage_style(std::size_t place) {
  return fmt::format("s{}{}", place % 6, place >= 6 ? " pale" : "");
}

}  // namespace strobe::page

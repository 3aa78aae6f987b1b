#include <algorithm>

#include <fmt/format.h>

#include "report/page/sections.h"

namespace strobe::page {

std::string Outline::heading(int below, std::string_view words) const {
  return fmt::format("<h{0}>{1}</h{0}>\n", std::min(level + below, 6), escaped(words).text);
}

std::string Outline::draw(const Plot& p) {
  return render(p, ++figures, level + 2);
}

}  // namespace strobe::page

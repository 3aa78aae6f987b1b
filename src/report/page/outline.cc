// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "report/page/sections.h"

namespace strobe::page {

std::string Outline::heading(int below, std::string_view words) const {
  return fmt::format("<h{0}>{1}</h{0}>\n", std::min(level + below, 6), escaped(words).text);
}

std::string Outline::draw(const Plot& p, PlotPlace place) {
  return render(p, ++figures, level + 2, place);
}

std::string capitalised(std::string_view text) {
  std::string out(text);
  if (!out.empty()) out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  return out;
}

std::string section(const Outline& o, std::string_view title, const std::string& body) {
  return body.empty() ? "" : "<section>" + o.heading(1, capitalised(title)) + body + "</section>\n";
}

}  // namespace strobe::page

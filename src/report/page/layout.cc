// SPDX-License-Identifier: Apache-2.0
// Two columns of pictures that end together. How high a picture will be is known here, so no script has to move it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/page/sections.h"
#include "report/text/table.h"

namespace strobe::page {
namespace {

constexpr double kMostUneven = 170;  // pixels by which one column may be longer: less than half a picture

// Title, picture, caption, the line that opens the table; a column is as wide as a picture was drawn.
double height_on_page(const Plot& p) {
  constexpr double kAround = 150, kLine = 20, kLettersInLine = 62;
  return kAround + p.height + kLine * std::ceil(static_cast<double>(width(p.caption)) / kLettersInLine);
}

struct Columns {
  std::vector<const Plot*> sides[2];
  double heights[2] = {0, 0};

  void add(const Plot& p) {
    const std::size_t side = heights[1] < heights[0] ? 1 : 0;
    sides[side].push_back(&p);
    heights[side] += height_on_page(p);
  }
  bool even() const { return std::fabs(heights[0] - heights[1]) <= kMostUneven; }
};

std::string draw_columns(const Columns& c, Outline& o) {
  std::string out;
  for (const auto& side : c.sides) {
    std::string cards;
    for (const Plot* p : side) cards += o.draw(*p);
    if (!cards.empty()) out += fmt::format("<div class=\"column\">{}</div>", cards);
  }
  return out.empty() ? out : "<div class=\"columns\">" + out + "</div>";
}

}  // namespace

std::string lay_out(const std::vector<Plot>& plots, Outline& o) {
  // As many as fit evenly in two columns; the others stand below, each in a row.
  std::size_t fit = plots.size();
  Columns columns;
  for (; fit > 1; --fit) {
    columns = {};
    for (std::size_t i = 0; i < fit; ++i) columns.add(plots[i]);
    if (columns.even()) break;
  }
  if (fit <= 1) {
    columns = {};
    fit = 0;
  }
  std::string out = draw_columns(columns, o);
  for (std::size_t i = fit; i < plots.size(); ++i) out += o.draw(plots[i], PlotPlace::wide);
  return out;
}

}  // namespace strobe::page

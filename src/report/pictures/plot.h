// SPDX-License-Identifier: Apache-2.0
// A picture with its words: a title, what it shows, how to read it, and the same as a table for those who cannot see
// it.
#pragma once

#include <optional>
#include <string>

#include "report/page/markup.h"
#include "report/pictures/axis.h"
#include "report/pictures/svg.h"

namespace strobe::page {

// One column of a page: wide enough for a phone held upright, where letters must still be read.
inline constexpr double kWidth = 480;

// A time line that the page's script draws again at another scale: where it is in the picture, and how long it is.
struct Zoom {
  double left = 0, right = 0, top = 0, bottom = 0, length_ns = 0;
};

struct Plot {
  std::string title;
  std::string description;  // for screen readers: the result in a sentence
  std::string caption;      // for everyone: what line, band and colour are
  double height = 240;
  Svg svg = {};
  std::optional<Zoom> zoom = {};
  Cells table = {};
};

// Wide: with its words and its table beside it.
enum class PlotPlace { column, wide };

// `id` is one of its own on the page, `level` that of its heading.
std::string render(const Plot&, int id, int level, PlotPlace = PlotPlace::column);

// Where values are drawn; the rest is for labels.
struct Frame {
  double left = 58, right = kWidth - 14, top = 26, bottom = 200;
};

// At most `most` letters, the last an ellipsis where some are missing: names from outside may have any length.
std::string shortened(const std::string&, std::size_t most);

// Grid, ticks and names of both axes.
void draw_x(Svg&, const Frame&, const Axis&, std::string_view unit, std::string_view name);
void draw_y(Svg&, const Frame&, const Axis&, std::string_view unit, std::string_view name);

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/svg.h"

#include <cmath>

#include <fmt/format.h>

#include "report/page/markup.h"

namespace strobe::page {
namespace {

// A tenth of a pixel is as fine as a screen shows; whole ones are written short.
std::string px(double x) {
  if (!std::isfinite(x)) return "0";  // a stored record may hold anything; a picture must stay one
  std::string s = fmt::format("{:.1f}", x);
  if (s.ends_with(".0")) s.resize(s.size() - 2);
  return s == "-0" ? "0" : s;
}

std::string whole_ns(double t) {
  return std::isfinite(t) ? fmt::format("{:.0f}", t) : "0";
}

std::string corners(const std::vector<Point>& points) {
  std::string d;
  for (const Point& p : points) d += fmt::format("{}{} {}", d.empty() ? "M" : "L", px(p.x), px(p.y));
  return d;
}

}  // namespace

void Svg::line(Point from, Point to, std::string_view style) {
  path({from, to}, style);
}

void Svg::rect(Point corner, double width, double height, std::string_view style) {
  body_ += fmt::format(R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>)", style, px(corner.x), px(corner.y),
                       px(width < 0 ? 0 : width), px(height < 0 ? 0 : height));
}

void Svg::text(Point at, std::string_view words, std::string_view style) {
  body_ += fmt::format(R"(<text class="{}" x="{}" y="{}">{}</text>)", style, px(at.x), px(at.y), escaped(words).text);
}

void Svg::path(const std::vector<Point>& points, std::string_view style) {
  if (!points.empty()) body_ += fmt::format(R"(<path class="{}" d="{}"/>)", style, corners(points));
}

void Svg::area(const std::vector<Point>& points, std::string_view style) {
  if (!points.empty()) body_ += fmt::format(R"(<path class="{}" d="{}Z"/>)", style, corners(points));
}

void Svg::dot(Point at, std::size_t series) {
  shape(at, series, fmt::format("dot s{}", series % 6));
}

void Svg::ring(Point at, std::size_t series) {
  shape(at, series, fmt::format("ring s{}", series % 6));
}

void Svg::shape(Point at, std::size_t series, std::string_view style) {
  const double x = at.x, y = at.y;
  switch (series % 4) {
    case 0:
      body_ += fmt::format(R"(<circle class="{}" cx="{}" cy="{}" r="4.5"/>)", style, px(x), px(y));
      return;
    case 1:
      return rect({x - 4, y - 4}, 8, 8, style);
    case 2:
      return area({{x, y - 5.5}, {x + 5, y + 4}, {x - 5, y + 4}}, style);
    default:
      return area({{x, y - 5.5}, {x + 5.5, y}, {x, y + 5.5}, {x - 5.5, y}}, style);
  }
}

void Svg::cross(Point at, std::string_view style) {
  line({at.x - 4.5, at.y - 4.5}, {at.x + 4.5, at.y + 4.5}, style);
  line({at.x - 4.5, at.y + 4.5}, {at.x + 4.5, at.y - 4.5}, style);
}

void Svg::begin_mark(std::string_view words) {
  body_ += fmt::format(R"(<g class="mark"><title>{}</title>)", escaped(words).text);
}

void Svg::begin_span(std::string_view words, std::string_view name, double from, double to) {
  body_ += fmt::format(R"(<g class="mark" data-at="{} {}" data-name="{}"><title>{}</title>)", whole_ns(from),
                       whole_ns(to), escaped(name).text, escaped(words).text);
}

void Svg::begin_group(std::string_view style) {
  body_ += fmt::format(R"(<g class="{}">)", style);
}

}  // namespace strobe::page

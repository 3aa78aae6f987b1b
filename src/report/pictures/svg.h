// SPDX-License-Identifier: Apache-2.0
// Shapes of one picture, written as SVG. Classes give them their look (page/style.cc); titles give them their words.
// Marks are the shapes that stand for a figure: they can be hovered and stepped through with the arrow keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strobe::page {

struct Point {
  double x = 0, y = 0;
};

class Svg {
 public:
  void line(Point from, Point to, std::string_view style);
  void rect(Point corner, double width, double height, std::string_view style);
  void text(Point at, std::string_view words, std::string_view style);
  void path(const std::vector<Point>&, std::string_view style);  // open
  void area(const std::vector<Point>&, std::string_view style);  // closed
  // Series differ in shape as well as in colour: circle, square, triangle, diamond, in turn.
  void dot(Point at, std::size_t series);
  void ring(Point at, std::size_t series);  // the same, hollow
  void cross(Point at, std::string_view style);

  // Everything up to `end` belongs to one figure, which `words` tells.
  void begin_mark(std::string_view words);
  // The same of a stretch of a time line, which the page's script draws again at another scale: in ns from its begin
  // on.
  void begin_span(std::string_view words, std::string_view name, double from, double to);
  void begin_group(std::string_view style);
  void end() { body_ += "</g>"; }

  bool empty() const { return body_.empty(); }
  const std::string& body() const { return body_; }

 private:
  void shape(Point at, std::size_t series, std::string_view style);

  std::string body_;
};

}  // namespace strobe::page

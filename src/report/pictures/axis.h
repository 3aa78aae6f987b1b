// SPDX-License-Identifier: Apache-2.0
// From values to pixels, with ticks at round numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strobe::page {

struct Tick {
  double value = 0;
  std::string label;
};

struct Range {
  double low = 0, high = 1;
};

class Axis {
 public:
  // Values of `range` to pixels from `from` to `to`, which may be the smaller one. A logarithmic axis needs a positive
  // range. An empty range is widened, so that one value can be drawn.
  Axis(Range range, double from, double to, bool logarithmic = false);

  double operator()(double value) const;  // values outside are drawn at the edge
  Range range() const { return range_; }

  // About `count` of them, labelled in one unit, which `unit_of` names; a logarithmic axis that is wide has units in
  // its labels.
  std::vector<Tick> ticks(std::string_view unit, int count) const;
  std::string unit_of(std::string_view unit) const;

 private:
  std::vector<Tick> decades(std::string_view unit) const;

  Range range_;
  double from_, to_;
  bool logarithmic_;
};

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/interval_rows.h"

#include <algorithm>
#include <cmath>

#include "report/pictures/stage_colours.h"
#include "report/text/table.h"

namespace strobe::page {
namespace {

constexpr double kLine = 17, kMark = 23, kHeading = 26;  // heights of a line of words, of the mark, of a heading
constexpr std::size_t kMostLetters = 62;                 // in a line

bool in_one_line(const IntervalRow& r) {
  return width(r.label) + width(r.value) + 2 <= kMostLetters;
}

double height_of(const IntervalRow& r) {
  return (in_one_line(r) ? kLine : 2 * kLine) + kMark + (r.heading.empty() ? 0 : kHeading);
}

Range range_of(const std::vector<IntervalRow>& rows, const IntervalAxis& a) {
  std::vector<double> xs;
  for (const IntervalRow& r : rows) {
    if (!r.error.empty()) continue;
    xs.insert(xs.end(), {r.estimate.value, r.estimate.low.value_or(r.estimate.value),
                         r.estimate.high.value_or(r.estimate.value), r.truth.value_or(r.estimate.value)});
  }
  if (a.logarithmic) std::erase_if(xs, [](double x) { return !(x > 0); });  // a stored record may hold anything
  if (a.bars || xs.empty()) xs.push_back(a.logarithmic ? 1 : 0);
  if (a.line) xs.push_back(*a.line);
  if (a.band) xs.insert(xs.end(), {a.band->low, a.band->high});
  const auto [low, high] = std::minmax_element(xs.begin(), xs.end());
  if (a.logarithmic) {
    const double by = std::pow(*high / *low, 0.06);
    return {*low / by, *high * by};
  }
  const double pad = 0.06 * (*high - *low);
  return {a.bars ? std::min(*low, 0.0) : *low - pad, *high + pad};
}

class Rows {
 public:
  Rows(Svg& svg, const Frame& f, const Axis& x, const IntervalAxis& a) : svg_(svg), f_(f), x_(x), a_(a) {}

  void draw(const IntervalRow& r, double top) {
    if (!r.heading.empty()) {
      svg_.text({f_.left, top + 18}, shortened(r.heading, kMostLetters - 14), "group");  // bold letters are wider
      top += kHeading;
    }
    const double words = in_one_line(r) ? kLine : 2 * kLine, y = top + words + kMark / 2 - 2;
    across(r, top + words, kMark - 2);
    svg_.begin_mark(r.words);
    svg_.rect({f_.left, top}, f_.right - f_.left, words + kMark, "hit");
    svg_.text({f_.left, top + 13}, shortened(r.label, kMostLetters), "label");
    svg_.text({f_.right, top + words - 4}, shortened(r.value, kMostLetters), "value end");
    if (r.error.empty())
      mark(r, y);
    else
      svg_.cross({f_.left + 6, y}, "bad");
    svg_.end();
    if (r.truth) svg_.line({x_(*r.truth), top + words}, {x_(*r.truth), top + words + kMark - 2}, "truth");
  }

 private:
  // Line and band are drawn beside the marks only: they must not cross the words.
  void across(const IntervalRow& r, double top, double height) {
    if (!r.error.empty()) return;
    if (a_.band) svg_.rect({x_(a_.band->low), top}, x_(a_.band->high) - x_(a_.band->low), height, "zone");
    if (a_.line) svg_.line({x_(*a_.line), top}, {x_(*a_.line), top + height}, "truth");
  }

  void mark(const IntervalRow& r, double y) {
    const double at = x_(r.estimate.value);
    if (a_.bars) svg_.rect({x_(0), y - 6}, at - x_(0), 12, "bar " + stage_style(r.series));
    if (r.estimate.low || r.estimate.high) {
      const double low = r.estimate.low ? x_(*r.estimate.low) : f_.left,
                   high = r.estimate.high ? x_(*r.estimate.high) : f_.right;
      svg_.line({low, y}, {high, y}, "err");
      if (r.estimate.low) svg_.line({low, y - 5}, {low, y + 5}, "err");
      if (r.estimate.high) svg_.line({high, y - 5}, {high, y + 5}, "err");
    }
    if (a_.bars) return;
    r.hollow ? svg_.ring({at, y}, r.series) : svg_.dot({at, y}, r.series);
  }

  Svg& svg_;
  const Frame& f_;
  const Axis& x_;
  const IntervalAxis& a_;
};

void draw_directions(Svg& svg, const Frame& f, const IntervalAxis& a) {
  svg.text({f.left, f.bottom + 33}, a.less, "tick");
  svg.text({(f.left + f.right) / 2, f.bottom + 33}, a.name, "tick mid");
  svg.text({f.right, f.bottom + 33}, a.more, "tick end");
}

}  // namespace

void draw_rows(Plot& p, const std::vector<IntervalRow>& rows, const IntervalAxis& a) {
  Frame f{.left = 12, .right = kWidth - 12, .top = 4, .bottom = 4};
  for (const IntervalRow& r : rows) f.bottom += height_of(r);
  const Axis x(range_of(rows, a), f.left, f.right, a.logarithmic);
  const bool directed = !a.less.empty();
  draw_x(p.svg, f, x, a.unit, directed ? "" : a.name);
  if (directed) draw_directions(p.svg, f, a);
  Rows draw(p.svg, f, x, a);
  double top = f.top;
  for (const IntervalRow& r : rows) {
    draw.draw(r, top);
    top += height_of(r);
  }
  p.height = f.bottom + 42;
}

}  // namespace strobe::page

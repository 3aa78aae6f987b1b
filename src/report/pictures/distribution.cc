// SPDX-License-Identifier: Apache-2.0
// Every quantile, the tail spread out: the percentiles that were asked for stand on it with their intervals.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kSmallestTail = 1e-7;

// Each further nine takes the same room.
double tail_axis(double p) {
  return -std::log10(std::max(1 - p, kSmallestTail));
}

struct Mark {
  std::string label;
  double p = 0;
  Estimate estimate;
};

std::vector<Mark> marks_of(const Metric& m) {
  std::vector<Mark> marks{{"median", 0.5, m.estimate}};
  for (const Percentile& q : m.percentiles) {
    if (q.estimate) marks.push_back({percentile_label(q.p), q.p, *q.estimate});
  }
  return marks;
}

std::vector<std::pair<double, double>> quantiles(const Metric& m) {
  const auto all = static_cast<double>(m.n);
  std::vector<std::pair<double, double>> out{{0, m.histogram.edges.front()}};
  double below = 0;
  for (std::size_t i = 0; i < m.histogram.counts.size(); ++i) {
    if (m.histogram.counts[i] == 0) continue;
    below += static_cast<double>(m.histogram.counts[i]);
    out.emplace_back(std::min(below / all, 1 - 0.5 / all), m.histogram.edges[i + 1]);
  }
  return out;
}

void draw_percent_axis(Svg& svg, const Frame& f, const Axis& x) {
  for (const double p : {0.0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999}) {
    if (tail_axis(p) > x.range().high) continue;
    const double at = x(tail_axis(p));
    svg.line({at, f.top}, {at, f.bottom}, "grid");
    svg.text({at, f.bottom + 16}, fmt::format("{:g}", 100 * p), "tick mid");
  }
  svg.line({f.left, f.bottom}, {f.right, f.bottom}, "axis");
  svg.text({f.right, f.bottom + 33}, "percent of the samples are below", "tick end");
}

void draw_mark(Svg& svg, const Frame& f, const Axis& x, const Axis& y, const Mark& m, std::string_view unit) {
  const double at = x(tail_axis(m.p));
  const double low = m.estimate.low ? y(*m.estimate.low) : f.bottom,
               high = m.estimate.high ? y(*m.estimate.high) : f.top;
  const std::string words = figure(m.estimate, unit).plain();
  svg.begin_mark(fmt::format("{}: {}", m.label, words));
  svg.rect({at - 12, f.top}, 24, f.bottom - f.top, "hit");
  svg.line({at, low}, {at, high}, "err");
  if (m.estimate.low) svg.line({at - 5, low}, {at + 5, low}, "err");
  if (m.estimate.high) svg.line({at - 5, high}, {at + 5, high}, "err");
  svg.dot({at, y(m.estimate.value)}, 0);
  const bool left = at > f.left + 70;  // the label must not cover the axis
  const double value = y(m.estimate.value), below = value + 16 < f.bottom ? 16 : -8;
  svg.text({left ? at - 8 : at + 8, value + (left ? -8 : below)}, m.label, left ? "note end" : "note");
  svg.end();
}

Cells table_of(const std::string& title, const Metric& m) {
  Cells t{title + ", percentiles", {"percentile", "value", "95 % interval"}, "lrl"};
  for (const Mark& k : marks_of(m)) {
    const Figure f = figure(k.estimate, m.unit);
    t.rows.push_back({escaped(k.label), escaped(f.number + " " + f.unit), escaped(f.interval)});
  }
  for (const Percentile& q : m.percentiles) {
    if (!q.estimate)
      t.rows.push_back({escaped(percentile_label(q.p)),
                        {},
                        escaped(fmt::format("needs {} requests", format_count(q.needs.value_or(0))))});
  }
  return t;
}

Range shown(const Metric& m, const std::vector<Mark>& marks, const std::vector<std::pair<double, double>>& curve) {
  Range r{curve.front().second, curve.back().second};
  for (const Mark& k : marks) {
    r.low = std::min(r.low, k.estimate.low.value_or(r.low));
    r.high = std::max(r.high, k.estimate.high.value_or(r.high));
  }
  const double pad = 0.05 * (r.high - r.low) + 0.005 * std::fabs(m.estimate.value);
  return {std::max(0.0, r.low - pad), r.high + pad};
}

}  // namespace

std::optional<Plot> distribution(const std::string& name, const Metric& m) {
  const bool drawable =
      m.n > 1 && !m.histogram.counts.empty() && m.histogram.edges.size() == m.histogram.counts.size() + 1;
  if (!drawable) return {};
  const auto curve = quantiles(m);
  const std::vector<Mark> marks = marks_of(m);
  const Frame f;
  const double last = std::max(tail_axis(1 - 0.5 / static_cast<double>(m.n)), tail_axis(marks.back().p) + 0.1);
  const Axis x({0, last}, f.left, f.right), y(shown(m, marks, curve), f.bottom, f.top);
  const std::string title = full_title(name);
  Plot p{.title = title + ", percentiles",
         .description = fmt::format("The median and {} percentiles with their intervals.", marks.size() - 1),
         .caption = "Bars: 95 % intervals.",
         .height = f.bottom + 42};
  draw_percent_axis(p.svg, f, x);
  draw_y(p.svg, f, y, m.unit, title);
  std::vector<Point> line;
  for (const auto& [share, value] : curve) line.push_back({x(tail_axis(share)), y(value)});
  p.svg.path(line, "line s0");
  for (const Mark& k : marks) draw_mark(p.svg, f, x, y, k, m.unit);
  for (const Percentile& q : m.percentiles) {
    if (!q.estimate)
      p.caption += fmt::format(" {} needs {} requests.", percentile_label(q.p), format_count(q.needs.value_or(0)));
  }
  p.table = table_of(title, m);
  return p;
}

}  // namespace strobe::page

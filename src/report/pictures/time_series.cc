// SPDX-License-Identifier: Apache-2.0
// A metric over time: what the warm-up was, whether it drifts, where its level shifts, what stands out.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/format.h"
#include "report/pictures/buckets.h"
#include "report/pictures/pictures.h"
#include "report/pictures/telemetry.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr std::size_t kMostColumns = 160;  // a column is then two to three pixels
constexpr std::size_t kRows = 40;
constexpr std::size_t kMostLabels = 6;
constexpr double kLeastSpan = 0.04;  // relative: a quiet series should look quiet

// The value that this share of them does not exceed.
double value_at(double share, std::vector<double> xs) {
  std::sort(xs.begin(), xs.end());
  return xs[static_cast<std::size_t>(share * static_cast<double>(xs.size() - 1))];
}

// The steady part decides: one request of 400 ms must not press the others flat. What lies above is marked at the edge.
Range visible(const std::vector<CurveBucket>& curve, const Metric& m) {
  const double steady = m.facts.warmup_end_seconds.value_or(0);
  Range r{m.estimate.value, m.estimate.value};
  std::vector<double> highs, early;
  for (const CurveBucket& b : curve) {
    if (b.at_seconds < steady) {
      early.push_back(b.median);
      continue;
    }
    highs.push_back(b.high);
    r = {std::min(r.low, b.low), std::max(r.high, b.median)};
  }
  if (!highs.empty()) r.high = std::max(r.high, value_at(0.98, highs));
  if (!early.empty()) {
    const double span = r.high - r.low;
    r = {std::min(r.low, std::max(value_at(0.2, early), r.low - span)),
         std::max(r.high, std::min(value_at(0.8, early), r.high + span))};
  }
  const double missing = kLeastSpan * std::fabs(m.estimate.value) - (r.high - r.low);
  const double pad = 0.06 * (r.high - r.low) + std::max(0.0, missing / 2);
  return {std::max(0.0, r.low - pad), r.high + pad};
}

std::string words_of(const CurveBucket& b, std::string_view unit) {
  return fmt::format("{:.3g} s: {}, {} to {}, {} sample{}", b.at_seconds, figure(b.median, unit).plain(),
                     figure(b.low, unit).plain(), figure(b.high, unit).plain(), format_count(b.n), b.n == 1 ? "" : "s");
}

class Drawing {
 public:
  Drawing(const Metric& m, std::vector<CurveBucket> curve, double end)
      : m_(m),
        curve_(std::move(curve)),
        end_(end),
        x_({0, end}, frame_.left, frame_.right),
        y_(visible(curve_, m), frame_.bottom, frame_.top) {}

  const Frame& frame() const { return frame_; }
  const Axis& x() const { return x_; }

  void draw(Svg& svg, std::string_view title) {
    const double warm = m_.facts.warmup_end_seconds.value_or(0);
    if (warm > 0) svg.rect({frame_.left, frame_.top}, x_(warm) - frame_.left, frame_.bottom - frame_.top, "warm");
    draw_x(svg, frame_, x_, "s", "time since the first request");
    draw_y(svg, frame_, y_, m_.unit, title);
    curve(svg);
    if (warm > 0) svg.text({frame_.left + 4, frame_.bottom - 6}, "warm-up", "note");
    shifts(svg);
    drift(svg, warm);
    hits(svg);
  }

  std::size_t above() const {
    return static_cast<std::size_t>(
        std::count_if(curve_.begin(), curve_.end(), [&](const auto& b) { return b.high > y_.range().high; }));
  }

 private:
  void curve(Svg& svg) const {
    for (const auto& part : stretches(curve_)) stretch(svg, part);
    for (const CurveBucket& b : curve_) {
      const double x = x_(b.at_seconds), y = frame_.top;
      if (b.high > y_.range().high) svg.area({{x - 3.5, y + 1}, {x + 3.5, y + 1}, {x, y - 5}}, "over");
    }
  }

  void stretch(Svg& svg, std::span<const CurveBucket> part) const {
    std::vector<Point> high, low, middle;
    for (const CurveBucket& b : part) {
      high.push_back({x_(b.at_seconds), y_(b.high)});
      low.push_back({x_(b.at_seconds), y_(b.low)});
      middle.push_back({x_(b.at_seconds), y_(b.median)});
    }
    if (part.size() == 1) {  // one point has no width of its own
      for (auto* line : {&high, &low, &middle}) line->push_back({line->back().x + 2, line->back().y});
    }
    high.insert(high.end(), low.rbegin(), low.rend());
    svg.area(high, "band");
    svg.path(middle, "line s0");
  }

  void shifts(Svg& svg) const {
    for (std::size_t i = 0; i < m_.facts.shifts.size(); ++i) {
      const LevelShift& s = m_.facts.shifts[i];
      const double x = x_(s.at_seconds);
      svg.line({x, frame_.top}, {x, frame_.bottom}, "shift");
      const double y = frame_.top + 12 + 14 * static_cast<double>(i % 3);
      const bool left = x > frame_.right - 60;  // the label must not leave the picture
      if (i < kMostLabels)
        svg.text({left ? x - 3 : x + 3, y}, fmt::format("×{:.3g}", s.ratio), left ? "note end" : "note");
    }
  }

  void drift(Svg& svg, double from) const {
    if (!m_.facts.drifting || !m_.facts.drift) return;
    const double half = *m_.facts.drift / 2, middle = m_.estimate.value;
    svg.line({x_(from), y_(middle * (1 - half))}, {x_(end_), y_(middle * (1 + half))}, "drift");
    svg.text({frame_.right - 4, frame_.bottom - 8}, fmt::format("drift {:+.1f} %", 200 * half), "note end");
  }

  void hits(Svg& svg) const {
    for (std::size_t i = 0; i < curve_.size(); ++i) {
      const double from = x_(curve_[i].at_seconds);
      const double to = i + 1 < curve_.size() ? x_(curve_[i + 1].at_seconds) : frame_.right;
      svg.begin_mark(words_of(curve_[i], m_.unit));
      svg.rect({from, frame_.top}, std::max(to - from, 1.5), frame_.bottom - frame_.top, "hit");
      svg.end();
    }
  }

  const Metric& m_;
  std::vector<CurveBucket> curve_;
  double end_;
  Frame frame_;
  Axis x_, y_;
};

std::string caption_of(const Metric& m, std::size_t above) {
  std::string words = "Line: median of each stretch; band: from its smallest to its largest sample.";
  if (m.facts.warmup_end_seconds.value_or(0) > 0) words += " Shaded: warm-up, which does not count.";
  if (!m.facts.shifts.empty()) words += " Dashed: the level changes by this factor.";
  if (m.outliers.count > 0)
    words += fmt::format(" {} outlier{} ({} of the time), the largest {}; they count.", format_count(m.outliers.count),
                         m.outliers.count == 1 ? "" : "s", format_percent(m.outliers.time_share),
                         figure(m.outliers.largest, m.unit).plain());
  if (above > 0)
    words += fmt::format(" Triangles: {} reach{} above the picture.",
                         above == 1 ? "one stretch" : fmt::format("{} stretches", above), above == 1 ? "es" : "");
  return words;
}

Cells curve_table(const std::string& title, const Metric& m) {
  Cells t{title + " over time", {"second", "median", "smallest", "largest", "samples"}, "rrrrr"};
  for (const CurveBucket& b : merged(m.curve, kRows)) {
    t.rows.push_back({escaped(fmt::format("{:.3g}", b.at_seconds)), escaped(figure(b.median, m.unit).plain()),
                      escaped(figure(b.low, m.unit).plain()), escaped(figure(b.high, m.unit).plain()),
                      escaped(format_count(b.n))});
  }
  return t;
}

}  // namespace

std::optional<Plot> time_series(const std::string& name, const Metric& m, const Telemetry& telemetry) {
  if (m.curve.size() < 2) return {};
  const std::string title = full_title(name);
  double end = m.curve.back().at_seconds;
  if (!telemetry.at_seconds.empty()) end = std::max(end, telemetry.at_seconds.back());
  Drawing drawing(m, merged(m.curve, kMostColumns), end);
  Plot p{.title = title + " over time",
         .description = fmt::format("The median is {}.", figure(m.estimate, m.unit).plain()),
         .caption = caption_of(m, drawing.above())};
  drawing.draw(p.svg, title);
  p.height = drawing.frame().bottom + 42;
  p.height = draw_telemetry(p.svg, drawing.frame(), drawing.x(), telemetry, p.height);
  p.table = curve_table(title, m);
  return p;
}

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
// What a search trades: the rate of each point against how long its requests take under load.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "report/pictures/case_grid.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kLogarithmicFrom = 8;  // largest over smallest latency

// With a bound the percentile that it is about, else the median.
std::optional<double> latency_of(const Case& c, std::optional<double> percentile) {
  const Metric* m = known_metric(c.metrics, metric::latency_loaded);
  if (!m) return std::nullopt;
  if (!percentile) return m->estimate.value;
  for (const Percentile& p : m->percentiles) {
    if (p.p == *percentile && p.estimate) return p.estimate->value;
  }
  return std::nullopt;
}

class RateLatency {
 public:
  // Where too few points know the percentile of the bound, medians are drawn, and the bound is not theirs.
  explicit RateLatency(const Record& r)
      : limit_(fact<double>(r.settings, "max_latency_ns")),
        percentile_(limit_ ? fact<double>(r.settings, "percentile") : std::nullopt),
        grid_(grid_of(r)) {
    collect();
    if (worth_drawing() || !percentile_) return;
    limit_.reset();
    percentile_.reset();
    collect();
  }

  bool worth_drawing() const { return points_.size() >= 2; }

  Plot plot() {
    place();
    const std::string what = percentile_ ? percentile_label(*percentile_) : std::string("latency");
    Plot p{.title = fmt::format("throughput against {} under load", what),
           .description = fmt::format("{} points.", points_.size()),
           .caption =
               fmt::format("Up is faster, left answers sooner; numbers: {}.", grid_.key.empty() ? "case" : grid_.key),
           .height = frame_.bottom + 42};
    draw_y(p.svg, frame_, y_, unit::items_per_second, "throughput");
    draw_x(p.svg, frame_, x_, unit::ns, what + " under load");
    bound(p.svg);
    for (std::size_t s = 0; s < grid_.series.size(); ++s) series(p.svg, s);
    if (std::any_of(points_.begin(), points_.end(), [](const Drawn& d) { return d.point->again; }))
      p.caption += " Hollow: the same point, tried again.";
    p.table = table(p.title, what);
    return p;
  }

 private:
  struct Drawn {
    const GridPoint* point;
    double latency;
    const Metric* rate;
  };

  void collect() {
    points_.clear();
    for (const GridPoint& p : grid_.points) {
      const auto latency = latency_of(*p.source, percentile_);
      const Metric* rate = known_metric(p.source->metrics, metric::throughput);
      if (latency && rate && *latency > 0) points_.push_back({&p, *latency, rate});
    }
  }

  void place() {
    double least = limit_.value_or(points_.front().latency), most = least, rate = 0;
    for (const Drawn& d : points_) {
      least = std::min(least, d.latency);
      most = std::max(most, d.latency);
      rate = std::max({rate, d.rate->estimate.value, d.rate->estimate.high.value_or(0)});
    }
    const std::size_t legend = grid_.series.size() > 1 ? (grid_.series.size() + 1) / 2 : 0;  // two in a line
    frame_.top += 18 * static_cast<double>(legend);
    frame_.bottom = frame_.top + 174;
    y_ = Axis({0, rate * 1.08}, frame_.bottom, frame_.top);
    const bool logarithmic = most > kLogarithmicFrom * least;
    x_ = Axis({logarithmic ? least / 1.3 : 0, most * (logarithmic ? 1.3 : 1.08)}, frame_.left, frame_.right,
              logarithmic);
  }

  void bound(Svg& svg) const {
    if (!limit_) return;
    const bool left = x_(*limit_) > (frame_.left + frame_.right) / 2;
    svg.line({x_(*limit_), frame_.top}, {x_(*limit_), frame_.bottom}, "mode");
    svg.text({x_(*limit_) + (left ? -5 : 5), frame_.bottom - 8}, "allowed: " + format_time(*limit_),
             left ? "note end" : "note");
  }

  Point at(const Drawn& d) const { return {x_(d.latency), y_(d.rate->estimate.value)}; }

  void series(Svg& svg, std::size_t s) const {
    if (grid_.series.size() > 1) {
      const Point key{frame_.left + 200 * static_cast<double>(s % 2), 14 + 18 * static_cast<double>(s / 2)};
      svg.dot({key.x + 6, key.y - 4}, s);
      svg.text({key.x + 16, key.y}, grid_.series[s], "tick");
    }
    std::vector<Point> line;
    for (const Drawn& d : points_) {
      if (d.point->series == s && !d.point->again) line.push_back(at(d));
    }
    svg.path(line, fmt::format("line s{}", s % 6));
    std::optional<Point> labelled;
    for (const Drawn& d : points_) {
      if (d.point->series == s) mark(svg, d, labelled);
    }
  }

  // Names that would lie on each other are left out; the reading line and the table have them.
  void mark(Svg& svg, const Drawn& d, std::optional<Point>& labelled) const {
    constexpr double kApart = 20;
    const Point p = at(d);
    const Estimate& rate = d.rate->estimate;
    svg.begin_mark(fmt::format("{}: {} at {}", d.point->source->name, figure(rate.value, d.rate->unit).plain(),
                               format_time(d.latency)));
    svg.rect({p.x - 9, p.y - 9}, 18, 18, "hit");
    if (rate.bounded()) svg.line({p.x, y_(*rate.low)}, {p.x, y_(*rate.high)}, "err");
    d.point->again ? svg.ring(p, d.point->series) : svg.dot(p, d.point->series);
    svg.end();
    const bool crowded = labelled && std::hypot(p.x - labelled->x, p.y - labelled->y) < kApart;
    if (d.point->again || crowded || grid_.key.empty()) return;
    svg.text({p.x - 6, p.y - 6}, grid_.columns[d.point->column],
             "tick end");  // above a curve that rises
    labelled = p;
  }

  Cells table(const std::string& caption, const std::string& what) const {
    Cells t{caption, {"case", "throughput", what}, "lrr"};
    for (const Drawn& d : points_)
      t.rows.push_back({escaped(d.point->source->name), escaped(figure(d.rate->estimate, d.rate->unit).plain()),
                        escaped(format_time(d.latency))});
    return t;
  }

  std::optional<double> limit_, percentile_;
  CaseGrid grid_;
  std::vector<Drawn> points_;
  Frame frame_;
  Axis x_{{0, 1}, 0, 1}, y_{{0, 1}, 0, 1};
};

}  // namespace

std::optional<Plot> rate_latency(const Record& r) {
  RateLatency picture(r);
  if (!picture.worth_drawing()) return std::nullopt;
  return picture.plot();
}

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
// Throughput, latency and memory over batch sizes, or over whatever was swept; what a search chose is marked.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/pictures/case_grid.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr std::array<std::string_view, 4> kMetrics{metric::throughput, metric::latency, metric::latency_loaded,
                                                   metric::device_time};

struct Chosen {
  std::optional<std::int64_t> SearchAnswer::* batch;
  std::string_view word;
};
constexpr std::array kChosen{Chosen{&SearchAnswer::best_batch, "best"},
                             Chosen{&SearchAnswer::largest_batch, "largest"}};

std::vector<std::string> metrics_of(const std::vector<Case>& cases) {
  std::vector<std::string> names(kMetrics.begin(), kMetrics.end());
  for (const Case& c : cases) {
    for (const auto& [name, m] : c.metrics) {
      if (m.unit == unit::bytes && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  std::erase_if(names, [&](const std::string& n) {
    return std::none_of(cases.begin(), cases.end(), [&](const Case& c) { return known_metric(c.metrics, n); });
  });
  return names;
}

class Curves {
 public:
  Curves(const Record& r, const CaseGrid& grid, std::string metric) : r_(r), grid_(grid), metric_(std::move(metric)) {
    double most = 0;
    for (const GridPoint& p : grid_.points) {
      if (const Metric* m = figure_of(p)) {
        unit_ = m->unit;
        most = std::max({most, m->estimate.value, m->estimate.high.value_or(0)});
      }
    }
    if (metric_ == metric::latency_loaded) limit_ = fact<double>(r.settings, "max_latency_ns");
    most = std::max(most, limit_.value_or(0));
    const std::size_t legend = grid_.series.size() > 1 ? (grid_.series.size() + 1) / 2 : 0;  // two in a line
    frame_.top += 18 * static_cast<double>(legend);
    frame_.bottom = frame_.top + 174;
    y_ = Axis({0, most * 1.08}, frame_.bottom, frame_.top);
    place_columns();
  }

  Plot plot() {
    const std::string title = full_title(metric_);
    Plot p{.title = fmt::format("{} by {}", title, grid_.key.empty() ? "case" : grid_.key),
           .description = fmt::format("{} cases.", grid_.points.size()),
           .caption = "Dots: medians; bars: 95 % intervals.",
           .height = frame_.bottom + 42};
    draw_y(p.svg, frame_, y_, unit_, title);
    columns(p.svg);
    chosen(p.svg);
    bound(p.svg);
    for (std::size_t s = 0; s < grid_.series.size(); ++s) series(p.svg, s);
    if (repeats_ > 0) p.caption += " Hollow: the same point, tried again.";
    if (failures_ > 0) p.caption += " Crosses: no result; the reason is in the table.";
    p.table = table(p.title);
    return p;
  }

 private:
  const Metric* figure_of(const GridPoint& p) const { return known_metric(p.source->metrics, metric_); }

  // Batches where their logarithms are, anything else at equal steps.
  void place_columns() {
    const double left = frame_.left + 20, width = frame_.right - frame_.left - 40;
    const auto batch = [&](std::size_t i) { return std::strtod(grid_.columns[i].c_str(), nullptr); };
    const std::size_t last = std::max<std::size_t>(grid_.columns.size(), 1) - 1;
    const bool logarithmic = grid_.key == "batch" && last > 0 && batch(0) > 0 && batch(last) > batch(0);
    for (std::size_t i = 0; i <= last; ++i) {
      const double share = logarithmic ? std::log(batch(i) / batch(0)) / std::log(batch(last) / batch(0))
                                       : static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(last, 1));
      x_.push_back(left + width * share);
    }
  }

  double x(std::size_t column) const { return x_[column]; }

  void columns(Svg& svg) const {
    double free_from = 0;
    for (std::size_t i = 0; i < grid_.columns.size(); ++i) {
      const double half = 3.6 * static_cast<double>(grid_.columns[i].size());
      svg.line({x(i), frame_.top}, {x(i), frame_.bottom}, "grid");
      if (x(i) - half < free_from) continue;
      svg.text({x(i), frame_.bottom + 16}, grid_.columns[i], "tick mid");
      free_from = x(i) + half + 6;
    }
    svg.line({frame_.left, frame_.bottom}, {frame_.right, frame_.bottom}, "axis");
    svg.text({frame_.right, frame_.bottom + 33}, grid_.key.empty() ? "case" : grid_.key, "tick end");
  }

  void chosen(Svg& svg) const {
    if (grid_.key != "batch") return;
    double row = 0;
    for (const Chosen& c : kChosen) {
      const auto batch = r_.answer.*c.batch;
      const auto it = std::find(grid_.columns.begin(), grid_.columns.end(), batch ? fmt::format("{}", *batch) : "");
      if (it == grid_.columns.end()) continue;
      const double at = x(static_cast<std::size_t>(it - grid_.columns.begin()));
      const bool left = at > (frame_.left + frame_.right) / 2;
      svg.line({at, frame_.top}, {at, frame_.bottom}, "mode");
      // Where the curve is not: rates are high there, times and memory low.
      const double height = metric_ == metric::throughput ? frame_.bottom - 8 - 14 * row : frame_.top + 12 + 14 * row;
      svg.text({left ? at - 5 : at + 5, height}, fmt::format("{} {}", c.word, *it), left ? "note end" : "note");
      ++row;
    }
  }

  void bound(Svg& svg) const {
    if (!limit_) return;
    svg.line({frame_.left, y_(*limit_)}, {frame_.right, y_(*limit_)}, "mode");
    svg.text({frame_.left + 5, y_(*limit_) - 5},
             fmt::format("allowed for {}: {}", percentile_label(fact<double>(r_.settings, "percentile").value_or(0.99)),
                         format_time(*limit_)),
             "note");
  }

  void series(Svg& svg, std::size_t s) {
    if (grid_.series.size() > 1) {
      const std::size_t row = s / 2;
      const Point at{frame_.left + 200 * static_cast<double>(s % 2), 14 + 18 * static_cast<double>(row)};
      svg.dot({at.x + 6, at.y - 4}, s);
      svg.text({at.x + 16, at.y}, grid_.series[s], "tick");
    }
    std::vector<Point> line;
    for (const GridPoint& p : grid_.points) {
      const Metric* m = p.series == s && !p.again ? figure_of(p) : nullptr;
      if (m) line.push_back({x(p.column), y_(m->estimate.value)});
    }
    svg.path(line, fmt::format("line s{}", s % 6));
    for (const GridPoint& p : grid_.points) {
      if (p.series == s) mark(svg, p);
    }
  }

  void mark(Svg& svg, const GridPoint& p) {
    const double at = x(p.column);
    const Metric* m = figure_of(p);
    if (!m && !failed(*p.source)) return;  // one request, to see whether it fits, has no rate
    if (!m) {
      ++failures_;
      svg.begin_mark(fmt::format("{}: {}", p.source->name, why(*p.source)));
      svg.rect({at - 9, frame_.top}, 18, frame_.bottom - frame_.top, "hit");
      svg.cross({at, frame_.bottom - 8}, "bad");
      return svg.end();
    }
    const Estimate& e = m->estimate;
    svg.begin_mark(fmt::format("{}: {}", p.source->name, figure(e, m->unit).plain()));
    svg.rect({at - 9, y_(e.value) - 14}, 18, 28, "hit");
    if (e.bounded()) svg.line({at, y_(*e.low)}, {at, y_(*e.high)}, "err");
    if (p.again) ++repeats_;
    p.again ? svg.ring({at, y_(e.value)}, p.series) : svg.dot({at, y_(e.value)}, p.series);
    svg.end();
  }

  static bool failed(const Case& c) {
    return !c.error.empty() || (!c.outcome.empty() && c.outcome != trial_word::fits);
  }

  static std::string why(const Case& c) {
    if (!c.error.empty()) return c.error;
    return failed(c) ? c.outcome : "not measured";
  }

  Cells table(const std::string& caption) const {
    Cells t{caption, {"case", "median", "95 % interval", "outcome"}, "lrll"};
    for (const GridPoint& p : grid_.points) {
      const Metric* m = figure_of(p);
      if (!m) {
        t.rows.push_back({escaped(p.source->name), {}, {}, escaped(why(*p.source))});
        continue;
      }
      const Figure f = figure(m->estimate, m->unit);
      t.rows.push_back({escaped(p.source->name),
                        number(m->estimate.value, metric_, p.source->name, f.number + " " + f.unit),
                        escaped(f.interval), escaped(p.source->outcome)});
    }
    return t;
  }

  const Record& r_;
  const CaseGrid& grid_;
  std::string metric_, unit_ = unit::ns;
  std::optional<double> limit_;  // ns, of the bound that was asked for
  Frame frame_;
  Axis y_{{0, 1}, 0, 1};
  std::vector<double> x_;  // of each column
  std::size_t failures_ = 0, repeats_ = 0;
};

}  // namespace

std::vector<Plot> case_curves(const Record& r) {
  if (r.cases.size() < 2) return {};
  const CaseGrid grid = grid_of(r);
  std::vector<Plot> plots;
  for (const std::string& metric : metrics_of(r.cases)) plots.push_back(Curves(r, grid, metric).plot());
  return plots;
}

}  // namespace strobe::page

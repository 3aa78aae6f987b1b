// SPDX-License-Identifier: Apache-2.0
// Memory over a launch, phase by phase, and what it is for.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "report/memory_parts.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kLeastShare = 0.2;  // of the width, that a phase has however short it is: its name must fit
constexpr double kLegendRow = 18;

// Time is not to scale: a load of a second must leave room for fifty requests of a millisecond.
class PhaseAxis {
 public:
  PhaseAxis(const std::vector<MemoryPhase>& phases, const Frame& f) : phases_(phases), left_(f.left) {
    double whole = 0, left = 1, of_long = 0;
    for (const MemoryPhase& p : phases) whole += p.end_ns - p.begin_ns;
    for (const MemoryPhase& p : phases) {
      shares_.push_back(whole > 0 ? (p.end_ns - p.begin_ns) / whole : 0);
      (is_short(shares_.back()) ? left : of_long) += is_short(shares_.back()) ? -kLeastShare : shares_.back();
    }
    for (double& s : shares_) s = (f.right - f.left) * (is_short(s) ? kLeastShare : s / of_long * left);
  }
  double begin(std::size_t phase) const {
    double x = left_;
    for (std::size_t i = 0; i < phase; ++i) x += shares_[i];
    return x;
  }
  double width(std::size_t phase) const { return shares_[phase]; }
  double operator()(double at_ns) const {
    std::size_t i = 0;
    while (i + 1 < phases_.size() && at_ns > phases_[i].end_ns) ++i;
    const double length = phases_[i].end_ns - phases_[i].begin_ns;
    const double share = length > 0 ? std::clamp((at_ns - phases_[i].begin_ns) / length, 0.0, 1.0) : 1;
    return begin(i) + share * width(i);
  }

 private:
  static bool is_short(double share) { return share < kLeastShare; }

  const std::vector<MemoryPhase>& phases_;
  double left_;
  std::vector<double> shares_;  // of the width, in pixels
};

double highest(const Record& r) {
  double most = 0;
  for (const MemoryPlace& place : r.memory.places) {
    for (const MemoryPoint& p : place.curve) most = std::max(most, p.bytes);
    for (const MemoryPhase& p : place.phases) most = std::max(most, p.peak.value);
  }
  return most;
}

std::string words_of(const MemoryPhase& p) {
  return fmt::format("{}: peak {}, {} at its end, {}", p.name, memory_text(p.peak), memory_text(p.end),
                     format_time(p.end_ns - p.begin_ns));
}

class MemoryDrawing {
 public:
  explicit MemoryDrawing(const Record& r)
      : r_(r),
        first_(r.memory.places.front()),
        x_(first_.phases, frame_),
        y_({0, 1.06 * highest(r)}, frame_.bottom, frame_.top) {}

  double draw(Svg& svg) {
    for (std::size_t i = 1; i < first_.phases.size(); i += 2)
      svg.rect({x_.begin(i), frame_.top}, x_.width(i), frame_.bottom - frame_.top, "zone");
    draw_y(svg, frame_, y_, unit::bytes, "memory");
    names(svg);
    for (std::size_t i = 0; i < r_.memory.places.size(); ++i) curve(svg, r_.memory.places[i], i);
    for (std::size_t i = 0; i < first_.phases.size(); ++i) peak(svg, i);
    return legend(svg);
  }

 private:
  void names(Svg& svg) const {
    for (std::size_t i = 0; i < first_.phases.size(); ++i) {
      const MemoryPhase& p = first_.phases[i];
      const double middle = x_.begin(i) + x_.width(i) / 2;
      svg.text({middle, frame_.bottom + 15}, p.name, "tick mid");
      svg.text({middle, frame_.bottom + 30}, format_time(p.end_ns - p.begin_ns), "tick mid");
    }
  }
  // Levels hold until they change.
  void curve(Svg& svg, const MemoryPlace& place, std::size_t series) const {
    std::vector<Point> points;
    for (const MemoryPoint& p : on_time_of(place, first_.phases)) {
      const Point next{x_(p.at_ns), y_(p.bytes)};
      if (!points.empty()) points.push_back({next.x, points.back().y});
      points.push_back(next);
    }
    svg.path(points, fmt::format("line s{}", series % 6));
  }
  void peak(Svg& svg, std::size_t i) const {
    const MemoryPhase& p = first_.phases[i];
    const double y = y_(p.peak.value);
    svg.begin_mark(words_of(p));
    svg.rect({x_.begin(i), frame_.top}, x_.width(i), frame_.bottom - frame_.top, "hit");
    svg.line({x_.begin(i) + 2, y}, {x_.begin(i) + x_.width(i) - 2, y}, "shift");
    svg.end();
  }
  double legend(Svg& svg) const {
    double y = frame_.bottom + 52;
    for (std::size_t i = 0; i < r_.memory.places.size(); ++i, y += kLegendRow) {
      svg.line({frame_.left, y - 4}, {frame_.left + 26, y - 4}, fmt::format("line s{}", i % 6));
      svg.text({frame_.left + 32, y},
               fmt::format("{}: {}", r_.memory.places[i].name, shortened(r_.memory.places[i].counted, 42)), "tick");
    }
    return y;
  }

  const Record& r_;
  const MemoryPlace& first_;
  Frame frame_{.left = 64, .top = 26, .bottom = 200};
  PhaseAxis x_;
  Axis y_;
};

}  // namespace

std::optional<Plot> memory_over_time(const Record& r) {
  if (r.memory.places.empty() || r.memory.places.front().phases.empty()) return {};
  const MemoryPlace& first = r.memory.places.front();
  Plot p{.title = "Memory over a launch",
         .description = fmt::format("{} phases of the {}.", first.phases.size(), first.name),
         .caption =
             "Line: what there is; dashed: the peak of each phase, as the kernel or the driver kept it. Phases "
             "are not to scale: below each is how long it lasts. The first launch is drawn."};
  p.table = {p.title, {"phase", "peak", "at its end"}, "lrr"};
  for (const MemoryPhase& phase : first.phases)
    p.table.rows.push_back({escaped(phase.name), escaped(memory_text(phase.peak)), escaped(memory_text(phase.end))});
  p.height = MemoryDrawing(r).draw(p.svg);
  return p;
}

std::optional<Plot> memory_bars(const Record& r) {
  const MemoryAnswer& m = r.memory;
  if (m.parts.empty() && m.peak_causes.empty()) return {};
  Plot p{.title = "What it is for",
         .description = fmt::format("{} parts at the end.", m.parts.size()),
         .caption =
             "Bar: bytes; line: their interval for the next launch. At the end the parts add up to all of it. "
             "Recorded allocations are shown when they were the most at once."};
  p.table = {p.title, {"part", "bytes"}, "lr"};
  std::vector<IntervalRow> rows;
  const auto add = [&](const std::vector<MemoryPart>& parts, const char* heading, std::size_t series) {
    for (const MemoryPart& part : parts) {
      IntervalRow& row = rows.emplace_back();
      row.label = part.name;
      row.value = memory_text(part.bytes);
      if (part.bytes.value > 0) row.estimate = part.bytes;  // a remainder may be negative: no bar
      row.words = part.name + ": " + row.value;
      row.series = series;
      if (&part == &parts.front()) row.heading = heading;
      p.table.rows.push_back({escaped(part.name), escaped(row.value)});
    }
  };
  add(m.parts, "at the end", 0);
  add(m.peak_causes, "recorded, at their peak", 1);
  draw_rows(p, rows, {.unit = unit::bytes, .name = "memory", .bars = true});
  return p;
}

}  // namespace strobe::page

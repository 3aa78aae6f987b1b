// SPDX-License-Identifier: Apache-2.0
// What a caller waits for after the machine has had nothing to do: latency against the length of the pause, and the
// latency without one as a line.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/idle_words.h"
#include "record/metric_names.h"
#include "report/idle_answer.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kLogarithmicLatency = 8;  // largest over smallest, from which on
constexpr double kRoomBelow = 18;          // of the line for the busy latency, for its words

struct AfterPause {
  const IdleResult* result;
  const Metric* latency;
  IdleLine line;
  std::size_t series() const { return result->random ? 1 : 0; }
};

std::vector<AfterPause> points_of(const Record& r) {
  std::vector<AfterPause> points;
  const std::vector<IdleLine> lines = idle_lines(r);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Metric* m = known_metric(r.idle[i].metrics, metric::latency);
    if (m && r.idle[i].pause_ns > 0) points.push_back({&r.idle[i], m, lines[i]});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const AfterPause& a, const AfterPause& b) { return a.result->pause_ns < b.result->pause_ns; });
  return points;
}

class IdleLatency {
 public:
  explicit IdleLatency(const Record& r) : points_(points_of(r)), busy_(r.find(metric::latency)) {}

  bool worth_drawing() const { return !points_.empty(); }

  Plot plot() {
    place();
    Plot p{.title = "latency after a pause",
           .description = fmt::format("{} pauses; {}", points_.size(),
                                      points_.back().line.label + ": " + words_of(points_.back())),
           .caption =
               "Dots: medians of requests that begin after such a pause; bars: 95 % intervals. The dashed line is "
               "the latency without pauses.",
           .height = frame_.bottom + 42};
    draw_y(p.svg, frame_, y_, unit::ns, "latency");
    draw_x(p.svg, frame_, x_, unit::ns, "pause");
    draw_busy(p.svg);
    for (std::size_t s = 0; s < 2; ++s) draw_series(p.svg, s);
    if (has_random()) p.caption += " Squares: random pauses, by their mean.";
    p.table = table(p.title);
    return p;
  }

 private:
  bool has_random() const {
    return std::any_of(points_.begin(), points_.end(), [](const AfterPause& a) { return a.result->random; });
  }

  void place() {
    double least = busy_ ? busy_->estimate.value : points_.front().latency->estimate.value, most = least;
    for (const AfterPause& a : points_) {
      const Estimate& e = a.latency->estimate;
      least = std::min({least, e.value, e.low.value_or(e.value)});
      most = std::max({most, e.value, e.high.value_or(e.value)});
    }
    const bool logarithmic = least > 0 && most > kLogarithmicLatency * least;
    y_ = Axis({logarithmic ? least / 1.3 : 0, most * (logarithmic ? 1.3 : 1.08)}, frame_.bottom, frame_.top,
              logarithmic);
    x_ = Axis({points_.front().result->pause_ns / 1.5, points_.back().result->pause_ns * 1.5}, frame_.left + 10,
              frame_.right - 10, true);
  }

  void draw_busy(Svg& svg) const {
    if (!busy_) return;
    const double y = y_(busy_->estimate.value);
    svg.line({frame_.left, y}, {frame_.right, y}, "mode");
    const bool low = y + kRoomBelow > frame_.bottom;  // points are above the line, unless there is no room below it
    svg.text({frame_.right - 4, low ? y - 6 : y + 14}, "no pause: " + format_time(busy_->estimate.value), "note end");
  }

  Point at(const AfterPause& a) const { return {x_(a.result->pause_ns), y_(a.latency->estimate.value)}; }

  void draw_series(Svg& svg, std::size_t s) const {
    std::vector<Point> line;
    for (const AfterPause& a : points_) {
      if (a.series() == s) line.push_back(at(a));
    }
    if (line.size() > 1) svg.path(line, fmt::format("line s{}", s));
    for (const AfterPause& a : points_) {
      if (a.series() == s) mark(svg, a);
    }
  }

  static std::string words_of(const AfterPause& a) {
    std::string words = a.line.latency.plain();
    for (const std::string* part : {&a.line.difference, &a.line.requests, &a.line.power}) {
      if (!part->empty()) words += ", " + *part;
    }
    return words;
  }

  void mark(Svg& svg, const AfterPause& a) const {
    const Point p = at(a);
    const Estimate& e = a.latency->estimate;
    svg.begin_mark(fmt::format("{}: {}", a.line.label, words_of(a)));
    svg.rect({p.x - 9, p.y - 14}, 18, 28, "hit");
    if (e.bounded()) svg.line({p.x, y_(*e.low)}, {p.x, y_(*e.high)}, "err");
    svg.dot(p, a.series());
    svg.end();
  }

  Cells table(const std::string& caption) const {
    Cells t{caption,
            {"pause", "latency", "95 % interval", "difference", "percentiles", "requests", "before → after"},
            "lrlrlrl"};
    for (const AfterPause& a : points_) {
      const IdleLine& l = a.line;
      t.rows.push_back({escaped(pause_text(a.result->pause_ns) + (a.result->random ? ", random" : "")),
                        escaped(l.latency.number + " " + l.latency.unit), escaped(l.latency.interval),
                        escaped(l.difference), escaped(l.percentiles), escaped(l.requests), escaped(l.power)});
    }
    return t;
  }

  std::vector<AfterPause> points_;
  const Metric* busy_;
  Frame frame_;
  Axis x_{{1, 2}, 0, 1, true}, y_{{0, 1}, 0, 1};
};

}  // namespace

std::optional<Plot> idle_latency(const Record& r) {
  IdleLatency picture(r);
  if (!picture.worth_drawing()) return std::nullopt;
  return picture.plot();
}

}  // namespace strobe::page

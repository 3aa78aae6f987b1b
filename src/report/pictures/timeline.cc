// SPDX-License-Identifier: Apache-2.0
// What each resource did when: one lane each.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "report/page/sections.h"
#include "report/pictures/pictures.h"
#include "report/pictures/stage_colours.h"
#include "report/text/request_text.h"
#include "report/text/table.h"

namespace strobe::page {
namespace {

constexpr double kLane = 46, kBar = 24;
constexpr std::size_t kMostSpans = 4000, kMostRows = 200, kMostNames = 24;
constexpr std::size_t kMostLettersOfName = 56;
constexpr double kLetter = 7.2;  // width of one, roughly

class Lanes {
 public:
  Lanes(const std::vector<TimelineSpan>& spans, std::vector<std::string> names) : names_(std::move(names)) {
    for (const TimelineSpan& s : spans) {
      index(lanes_, s.lane);
      index(names_, s.name);
      range_ = {std::min(range_.low, s.begin_ns), std::max(range_.high, s.end_ns)};
    }
  }
  std::size_t lane(const std::string& name) const { return find(lanes_, name); }
  std::size_t series(const std::string& name) const { return find(names_, name); }
  const std::vector<std::string>& lanes() const { return lanes_; }
  const std::vector<std::string>& names() const { return names_; }
  Range range() const { return range_; }

 private:
  static void index(std::vector<std::string>& list, const std::string& x) {
    if (std::find(list.begin(), list.end(), x) == list.end()) list.push_back(x);
  }
  static std::size_t find(const std::vector<std::string>& list, const std::string& x) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), x) - list.begin());
  }
  std::vector<std::string> lanes_, names_;
  Range range_{1e300, -1e300};
};

// Which colour is which; gives where it ends.
double draw_legend(Svg& svg, const Frame& f, const Lanes& lanes) {
  double x = f.left, y = 14;
  for (std::size_t i = 0; i < std::min(lanes.names().size(), kMostNames); ++i) {
    const std::string name = shortened(lanes.names()[i], kMostLettersOfName);
    const double room = 26 + kLetter * static_cast<double>(width(name));
    if (x > f.left && x + room > f.right) {
      x = f.left;
      y += 18;
    }
    svg.rect({x, y - 10}, 11, 11, "span " + stage_style(i));
    svg.text({x + 15, y}, name, "tick");
    x += room;
  }
  return y + 8;
}

// Where iterations overlap, with the number of its own.
std::string label_of(const TimelineSpan& s) {
  return s.iteration ? fmt::format("{} {}", s.name, *s.iteration) : s.name;
}

std::string words_of(const TimelineSpan& s, double zero) {
  return fmt::format("{}: {}, {} from {} on", s.lane, label_of(s), format_time(s.end_ns - s.begin_ns),
                     format_time(s.begin_ns - zero));
}

// Of a run.
std::string request_caption(const Record& r) {
  std::string text =
      "What host and device do in the request whose latency is the median. Work: the device's, with the gaps in which "
      "it waits for the next kernel.";
  const std::string more = request_sentence(r);
  return more.empty() ? text : text + " " + capitalised(more) + ".";
}

void draw_span(Svg& svg, const TimelineSpan& s, const Lanes& lanes, const Axis& x, double top) {
  const double zero = lanes.range().low, from = x(s.begin_ns - zero), to = x(s.end_ns - zero);
  const double y = top + kLane * static_cast<double>(lanes.lane(s.lane)) + 18;
  const std::string label = label_of(s);
  svg.begin_span(words_of(s, zero), label, s.begin_ns - zero, s.end_ns - zero);
  svg.rect({from, y}, std::max(to - from, 1.0), kBar, "span " + stage_style(lanes.series(s.name)));
  if (kLetter * static_cast<double>(width(label)) + 6 < to - from) svg.text({from + 4, y + 16}, label, "inside");
  svg.end();
}

Plot draw_lanes(Plot p, std::vector<TimelineSpan> spans, const std::vector<std::string>& names) {
  std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
  if (spans.size() > kMostSpans) {
    p.caption += fmt::format(" The first {} of {} are drawn.", kMostSpans, spans.size());
    spans.resize(kMostSpans);
  }
  const Lanes lanes(spans, names);
  Frame f{.left = 12, .right = kWidth - 12, .top = 4, .bottom = 4};
  f.top = draw_legend(p.svg, f, lanes);
  f.bottom = f.top + kLane * static_cast<double>(lanes.lanes().size());
  const Axis x({0, lanes.range().high - lanes.range().low}, f.left, f.right);
  p.description = fmt::format("{} spans on {} lanes.", spans.size(), lanes.lanes().size());
  p.zoom = Zoom{f.left, f.right, f.top, f.bottom, lanes.range().high - lanes.range().low};
  p.svg.begin_group("axis-x");
  draw_x(p.svg, f, x, unit::ns, "time");
  p.svg.end();
  for (std::size_t i = 0; i < lanes.lanes().size(); ++i)
    p.svg.text({f.left, f.top + kLane * static_cast<double>(i) + 13}, shortened(lanes.lanes()[i], kMostLettersOfName),
               "label");
  p.table = {p.title, {"lane", "what", "begins", "takes"}, "llrr"};
  for (const TimelineSpan& s : spans) {
    draw_span(p.svg, s, lanes, x, f.top);
    if (p.table.rows.size() < kMostRows)
      p.table.rows.push_back({escaped(s.lane), escaped(label_of(s)),
                              escaped(format_time(s.begin_ns - lanes.range().low)),
                              escaped(format_time(s.end_ns - s.begin_ns))});
  }
  p.height = f.bottom + 42;
  return p;
}

// Layers are many: their colours are those of their types.
std::vector<TimelineSpan> by_type(const Record& r) {
  std::vector<TimelineSpan> spans = r.timeline;
  for (TimelineSpan& s : spans) {
    for (const LayerResult& l : r.profile.layers) {
      if (l.name == s.name && !l.type.empty()) s.name = l.type;
    }
  }
  return spans;
}

std::optional<Plot> profiled_request(const Record& r) {
  Plot p{.title = "A typical request, under the profiler",
         .description = {},
         .caption =
             "One lane for each resource; a colour is a type of layer. What a request takes without the profiler is "
             "among the figures."};
  return draw_lanes(std::move(p), by_type(r), {});
}

}  // namespace

std::optional<Plot> timeline(const Record& r) {
  if (r.timeline.empty()) return {};
  if (r.profile.requests > 0) return profiled_request(r);
  const std::vector<std::string> names = stage_names(r);
  const bool stages = !names.empty();
  Plot p{.title = stages ? "Time line" : "A typical request",
         .description = {},
         .caption = stages ? "One lane for each resource; a colour is a stage, as in the other pictures."
                           : request_caption(r)};
  return draw_lanes(std::move(p), r.timeline, names);
}

std::optional<Plot> overlap(const Record& r) {
  if (!r.pipeline.overlap || r.pipeline.overlap->timeline.empty()) return {};
  Plot p{.title = fmt::format("{} iterations in flight", r.pipeline.overlap->in_flight),
         .description = {},
         .caption = "A few periods. One lane for each resource; a colour is a stage, a number the iteration."};
  return draw_lanes(std::move(p), r.pipeline.overlap->timeline, stage_names(r));
}

}  // namespace strobe::page

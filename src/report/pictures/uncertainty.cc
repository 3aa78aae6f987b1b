// SPDX-License-Identifier: Apache-2.0
// Where the uncertainty comes from: for each metric that decides, a bar for requests, rounds and launches. Bars are
// side by side, not stacked: standard deviations do not add up.
#include "record/uncertainty.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "record/deciding.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kHeadingHeight = 25, kRowHeight = 23, kBarHeight = 12;
constexpr double kInPercent = 100;
constexpr double kRounding = 1e-9;  // relative: what is left of equal numbers after some arithmetic

struct MetricSources {
  std::string title;
  std::vector<UncertaintySource> sources;
};

std::string heading_of(const MetricSources& m) {
  const UncertaintySource* main = main_source(m.sources);
  return main ? fmt::format("{}: mostly {}", m.title, main->name) : m.title;
}

double widest(const std::vector<UncertaintySource>& sources) {
  double most = 0;
  for (const UncertaintySource& s : sources) most = std::max(most, s.deviation);
  return most;
}

// A metric of which only the launches are known has nothing to compare them with.
std::vector<MetricSources> known_sources(const Record& r) {
  std::vector<MetricSources> all;
  for (const std::string_view name : deciding_metrics(r)) {
    MetricSources m{full_title(name), uncertainty_sources(name, r)};
    if (m.sources.size() > 1 && widest(m.sources) > kRounding) all.push_back(std::move(m));
  }
  return all;
}

// Words at the left, bars in the frame, numbers at the right.
class Bars {
 public:
  Bars(Svg& svg, const Frame& f, const Axis& x) : svg_(svg), x_(x), y_(f.top) {}

  void draw(const MetricSources& m) {
    svg_.text({kLeft, y_ + 17}, shortened(heading_of(m), kMostLetters), "group");
    y_ += kHeadingHeight;
    for (const UncertaintySource& s : m.sources) draw(m, s);
  }

 private:
  static constexpr double kLeft = 12, kRight = kWidth - 12;
  static constexpr std::size_t kMostLetters = 48;

  void draw(const MetricSources& m, const UncertaintySource& s) {
    const std::string size = format_percent(s.deviation);
    svg_.begin_mark(fmt::format("{}, {}: {}, {} of the variance", m.title, s.name, size, format_percent(s.share)));
    svg_.rect({kLeft, y_}, kRight - kLeft, kRowHeight, "hit");
    svg_.text({kLeft, y_ + 15}, s.name, "label");
    svg_.rect({x_(0), y_ + 4}, x_(kInPercent * s.deviation) - x_(0), kBarHeight, "bar s0");
    svg_.text({kRight, y_ + 15}, size, "value end");
    svg_.end();
    y_ += kRowHeight;
  }

  Svg& svg_;
  const Axis& x_;
  double y_;
};

void draw_sources(Plot& p, const std::vector<MetricSources>& all) {
  Frame f{.left = 92, .right = kWidth - 84, .top = 4, .bottom = 8};
  double most = 0;
  for (const MetricSources& m : all) {
    f.bottom += kHeadingHeight + kRowHeight * static_cast<double>(m.sources.size());
    most = std::max(most, widest(m.sources));
  }
  const Axis x({0, kInPercent * most}, f.left, f.right);
  draw_x(p.svg, f, x, "%", "standard deviation");
  Bars bars(p.svg, f, x);
  for (const MetricSources& m : all) bars.draw(m);
  p.height = f.bottom + 42;
}

}  // namespace

std::optional<Plot> uncertainty(const Record& r) {
  const std::vector<MetricSources> all = known_sources(r);
  if (all.empty()) return {};
  std::vector<std::string> headings;
  for (const MetricSources& m : all) headings.push_back(heading_of(m));
  Plot p{.title = "Where the uncertainty comes from",
         .description = fmt::format("{}.", fmt::join(headings, "; ")),
         .caption =
             "Bar: by how much this source alone would move the number of the next launch (standard deviation). "
             "Longer launches (--min-time) reduce requests and rounds. They do not reduce what differs between "
             "launches: there, more launches (--launches) make the interval narrower."};
  p.table = {p.title, {"metric", "source", "standard deviation", "share of the variance"}, "llrr"};
  for (const MetricSources& m : all) {
    for (const UncertaintySource& s : m.sources)
      p.table.rows.push_back({escaped(m.title), escaped(s.name), unbroken(format_percent(s.deviation)),
                              unbroken(format_percent(s.share))});
  }
  draw_sources(p, all);
  return p;
}

}  // namespace strobe::page

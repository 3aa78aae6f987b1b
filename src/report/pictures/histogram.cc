// SPDX-License-Identifier: Apache-2.0
// How often each value was seen, and where the typical ones are.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "report/pictures/buckets.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr std::size_t kMostBars = 80;
constexpr double kWideRange = 10;  // as the record's own bins: beyond it their edges have equal ratios

bool drawable(const Histogram& h) {
  return !h.counts.empty() && h.edges.size() == h.counts.size() + 1 && h.edges.front() < h.edges.back();
}

void bars(Svg& svg, const Frame& f, const Axis& x, const Axis& y, const Histogram& h, std::string_view unit) {
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    if (h.counts[i] == 0) continue;
    const double from = x(h.edges[i]), to = x(h.edges[i + 1]), top = y(static_cast<double>(h.counts[i]));
    svg.begin_mark(fmt::format("{} to {}: {}", figure(h.edges[i], unit).plain(), figure(h.edges[i + 1], unit).plain(),
                               format_count(h.counts[i])));
    svg.rect({from, f.top}, std::max(to - from, 1.5), f.bottom - f.top, "hit");
    svg.rect({from, top}, std::max(to - from - 0.5, 1.0), std::max(f.bottom - top, 1.0), "bar s0");
    svg.end();
  }
}

void modes(Svg& svg, const Frame& f, const Axis& x, const Metric& m) {
  double row = 0;
  for (const Mode& mode : m.facts.modes) {
    const double at = x(mode.value);
    svg.line({at, f.top}, {at, f.bottom}, "mode");
    const bool left = at > f.right - 130;
    svg.text({left ? at - 4 : at + 4, f.top + 11 + 14 * row++},
             fmt::format("{}, {}", figure(mode.value, m.unit).plain(), format_percent(mode.share)),
             left ? "note end" : "note");
  }
}

Cells table_of(const std::string& title, const Histogram& h, std::string_view unit) {
  Cells t{title + ", how often", {"from", "to", "samples"}, "rrr"};
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    if (h.counts[i] == 0) continue;
    t.rows.push_back({escaped(figure(h.edges[i], unit).plain()), escaped(figure(h.edges[i + 1], unit).plain()),
                      escaped(format_count(h.counts[i]))});
  }
  return t;
}

}  // namespace

std::optional<Plot> histogram(const std::string& name, const Metric& m) {
  if (!drawable(m.histogram)) return {};
  const Histogram h = merged(m.histogram, kMostBars);
  const Frame f;
  const bool wide = h.edges.front() > 0 && h.edges.back() / h.edges.front() > kWideRange;
  const Axis x({h.edges.front(), h.edges.back()}, f.left, f.right, wide);
  const double most = static_cast<double>(*std::max_element(h.counts.begin(), h.counts.end()));
  const double labels = m.facts.modes.size() > 1 ? 0.1 * static_cast<double>(m.facts.modes.size()) : 0;
  const Axis y({0, most * (1.05 + labels)}, f.bottom, f.top);
  const std::string title = full_title(name);
  Plot p{.title = title + ", how often",
         .description = fmt::format("{} from {} to {}.", counted(m.n, "sample", "samples"),
                                    figure(m.min, m.unit).plain(), figure(m.max, m.unit).plain()),
         .caption = fmt::format("{} after the warm-up.", counted(m.n, "sample", "samples")),
         .height = f.bottom + 42};
  draw_x(p.svg, f, x, m.unit, title);
  draw_y(p.svg, f, y, "", "samples");
  bars(p.svg, f, x, y, h, m.unit);
  modes(p.svg, f, x, m);
  if (m.facts.modes.size() > 1)
    p.caption +=
        fmt::format(" {} modes, marked with their share: no single number describes it.", m.facts.modes.size());
  if (wide) p.caption += " The axis is logarithmic.";
  p.table = table_of(title, merged(h, 40), m.unit);
  return p;
}

}  // namespace strobe::page

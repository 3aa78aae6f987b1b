// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/plot.h"

#include <fmt/format.h>

#include "report/text/table.h"

namespace strobe::page {
namespace {

std::string named(std::string_view name, std::string_view unit) {
  constexpr std::size_t kMostOfName = 48;
  const std::string shown = shortened(std::string(name), kMostOfName);
  return unit.empty() ? shown : fmt::format("{}, {}", shown, unit);
}

std::string zoom_attribute(const Plot& p) {
  if (!p.zoom) return {};
  const Zoom& z = *p.zoom;
  return fmt::format(R"( data-zoom="{:.1f} {:.1f} {:.1f} {:.1f} {:.0f}")", z.left, z.right, z.top, z.bottom,
                     z.length_ns);
}

std::string keys_of(const Plot& p) {
  return p.zoom ? "arrow keys move through the values, plus and minus zoom, shift and arrow keys move, 0 shows all"
                : "arrow keys move through the values";
}

}  // namespace

std::string shortened(const std::string& text, std::size_t most) {
  if (width(text) <= most) return text;
  std::string out;
  std::size_t letters = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (begins && ++letters >= most) break;
    out += c;
  }
  return out + "…";
}

std::string render(const Plot& p, int id, int level, PlotPlace place) {
  const bool wide = place == PlotPlace::wide;
  const std::string title = escaped(p.title).text;
  std::string out = fmt::format(
      R"(<figure class="card{8} id="figure-{0}"><h{7}>{1}</h{7}>)"
      R"(<div class="plot"{9} tabindex="0" role="group" aria-label="{1}: {10}">)"
      R"(<svg viewBox="0 0 {2} {3}" role="img" aria-labelledby="title-{0} about-{0}">)"
      R"(<title id="title-{0}">{1}</title><desc id="about-{0}">{4}</desc>{5}</svg>)"
      R"(<output class="readout" aria-live="polite"></output></div><figcaption><p>{6}</p>)",
      id, title, kWidth, p.height, escaped(p.description).text, p.svg.body(), escaped(p.caption).text, level,
      wide ? fmt::format(R"( wide" style="--high:{:.0f}")", p.height) : "\"", zoom_attribute(p), keys_of(p));
  if (!p.table.rows.empty())
    out += fmt::format("<details{}><summary>As a table</summary>{}</details>", wide ? " open" : "", render(p.table));
  return out + "</figcaption></figure>\n";
}

void draw_x(Svg& svg, const Frame& f, const Axis& axis, std::string_view unit, std::string_view name) {
  const auto ticks = axis.ticks(unit, 5);
  double free_from = 0;  // labels that would touch are left out
  for (const Tick& t : ticks) {
    const double x = axis(t.value), half = 3.6 * static_cast<double>(t.label.size());
    svg.line({x, f.top}, {x, f.bottom}, "grid");
    if (x - half < free_from) continue;
    svg.text({x, f.bottom + 16}, t.label, "tick mid");
    free_from = x + half + 6;
  }
  const bool in_labels = !ticks.empty() && ticks.front().label.find(' ') != std::string::npos;
  svg.line({f.left, f.bottom}, {f.right, f.bottom}, "axis");
  svg.text({f.right, f.bottom + 33}, named(name, in_labels ? "" : axis.unit_of(unit)), "tick end");
}

void draw_y(Svg& svg, const Frame& f, const Axis& axis, std::string_view unit, std::string_view name) {
  for (const Tick& t : axis.ticks(unit, 4)) {
    const double y = axis(t.value);
    svg.line({f.left, y}, {f.right, y}, "grid");
    svg.text({f.left - 6, y + 4}, t.label, "tick end");
  }
  svg.text({4, f.top - 10}, named(name, axis.unit_of(unit)), "tick");
}

}  // namespace strobe::page

// Comparisons: each ratio with its interval, the line at 1 and the band in which a difference does not matter.
#include <fmt/format.h>

#include "record/metric_info.h"
#include "record/scalars.h"
#include "report/comparison_answer.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr double kMargin = 0.01;  // where a record does not say what counts as equivalent

std::string ratio_text(const Estimate& e) {
  const auto side = [](std::optional<double> x, const char* none) { return x ? fmt::format("{:.3f}", *x) : none; };
  if (!e.low && !e.high) return fmt::format("{:.3f}", e.value);
  return fmt::format("{:.3f} [{}, {}]", e.value, side(e.low, "-∞"), side(e.high, "∞"));
}

}  // namespace

std::optional<Plot> forest(const Record& r) {
  if (r.comparisons.empty()) return {};
  const double margin = fact<double>(r.settings, "margin").value_or(kMargin);
  Plot p{.title = "How they compare",
         .description = fmt::format("{} ratios with their 95 % intervals.", r.comparisons.size()),
         .caption =
             "Dot: the one named first divided by the other; line: its 95 % interval. Shaded: equivalent. Left of 1 "
             "is a smaller value."};
  p.table = {p.title, {"comparison", "metric", "ratio", "outcome", "pairs", "needs"}, "llrlrr"};
  std::vector<IntervalRow> rows;
  for (const Comparison& c : in_order(r.comparisons)) {
    const std::string pair = fmt::format("{} against {}", c.b, c.a), ratio = ratio_text(c.ratio);
    const std::string name = fmt::format("{}: {}", compared_title(c), pair);
    const bool matters = is_better(c) || is_worse(c);
    rows.push_back({.label = name,
                    .value = fmt::format("{} {}", c.outcome, ratio),
                    .estimate = c.ratio,
                    .words = fmt::format("{}: {}, ratio {}", name, c.outcome, ratio),
                    .series = matters ? std::size_t{1} : std::size_t{0}});
    p.table.rows.push_back({escaped(pair), escaped(compared_title(c)),
                            number(c.ratio.value, c.metric, fmt::format("ratio {} {}", c.a, c.b), ratio),
                            escaped(c.outcome), escaped(fmt::format("{}", c.pairs)),
                            escaped(c.needs ? fmt::format("{}", *c.needs) : "")});
  }
  draw_rows(p, rows, {.unit = "", .name = "ratio", .line = 1, .band = Range{1 - margin, 1 + margin}});
  return p;
}

}  // namespace strobe::page

// What each method reads of the stages of a pipeline.
#include <fmt/format.h>

#include "base/format.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

IntervalRow row_of(const Stage& s, const std::string& metric, const Metric& m) {
  const Figure f = figure(m.median, m.unit);
  return {.label = fmt::format("{}, {}", s.name, full_title(metric)),
          .value = f.plain(),
          .estimate = m.median,
          .words = fmt::format("{}, {}: {}{}", s.name, full_title(metric), f.plain(),
                               s.about.empty() ? "" : "; " + s.about)};
}

}  // namespace

std::optional<Plot> stages(const Record& r) {
  Plot p{.title = "The stages, by each method",
         .description = "The time of each stage of the pipeline as each method reads it.",
         .caption = "Bar: median; line on it: its 95 % interval."};
  p.table = {p.title, {"method", "stage", "metric", "median", "95 % interval"}, "lllrl"};
  std::vector<IntervalRow> rows;
  std::size_t series = 0;
  for (const Case& c : r.cases) {
    std::string heading = c.name;
    for (const Stage& s : c.stages) {
      for (const auto* m : in_order(s.metrics)) {
        if (!m->second.known() || m->second.unit != "ns") continue;
        rows.push_back(row_of(s, m->first, m->second));
        rows.back().series = series;
        rows.back().heading = std::exchange(heading, {});
        const Figure f = figure(m->second.median, "ns");
        p.table.rows.push_back(
            {escaped(c.name), escaped(s.name), escaped(full_title(m->first)),
             number(m->second.median.value, m->first, c.name + "/" + s.name, f.number + " " + f.unit),
             escaped(f.interval)});
      }
    }
    series += !c.stages.empty();
  }
  if (rows.empty()) return {};
  draw_rows(p, rows, {.unit = "ns", .name = "time", .bars = true});
  return p;
}

}  // namespace strobe::page

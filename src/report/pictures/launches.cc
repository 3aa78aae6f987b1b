// SPDX-License-Identifier: Apache-2.0
// The same measurement in fresh processes: a dot each, and the result over all of them.
#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_info.h"
#include "record/study_info.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {

std::optional<Plot> launches(const Record& r) {
  if (r.launches.empty()) return {};
  const char* name = study_info(r).answer == Answer::rate ? metric::throughput : metric::latency;
  Plot p{.title = fmt::format("Each launch: {}", full_title(name)),
         .description = fmt::format("{} launches of the same measurement.", r.launches.size()),
         .caption = "Dot: one process; bar: its own 95 % interval, which does not cover other processes."};
  p.table = {p.title, {"launch", "result", "95 % interval"}, "lrl"};
  std::vector<IntervalRow> rows;
  std::string unit = unit::ns;
  for (const Case& c : r.launches) {
    const Metric* m = known_metric(c.metrics, name);
    if (!m) {
      IntervalRow& row = rows.emplace_back();
      row.label = c.name;
      row.value = "failed";
      row.words = c.name + ": " + c.error;
      row.error = c.error;
      p.table.rows.push_back({escaped(c.name), {}, escaped(c.error)});
      continue;
    }
    unit = m->unit;
    const Figure f = figure(m->estimate, m->unit);
    rows.push_back({.label = c.name, .value = f.plain(), .estimate = m->estimate, .words = c.name + ": " + f.plain()});
    p.table.rows.push_back(
        {escaped(c.name), number(m->estimate.value, name, c.name, f.number + " " + f.unit), escaped(f.interval)});
  }
  IntervalAxis axis{.unit = unit, .name = std::string(metric_label(name))};
  if (const Metric* all = r.find(name)) {
    axis.line = all->estimate.value;
    if (all->estimate.bounded()) axis.band = Range{*all->estimate.low, *all->estimate.high};
    p.caption += " Line and shade: the result over all launches and its interval.";
  }
  draw_rows(p, rows, axis);
  return p;
}

}  // namespace strobe::page

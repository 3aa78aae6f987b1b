// SPDX-License-Identifier: Apache-2.0
// The same measurement in fresh processes, or of fresh loads in one: a dot each, and the result over all of them.
#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/study_info.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {

std::optional<Plot> launches(const Record& r) {
  if (r.launches.empty()) return {};
  const char* name = answer_metric(study_info(r));
  const LaunchWords words = launch_words(r);
  const std::string_view dot = r.one_process ? "load" : "process", others = r.one_process ? "loads" : "processes";
  Plot p{
      .title = fmt::format("Each {}: {}", words.one, full_title(name)),
      .description = fmt::format("{} of the same measurement.", launches_phrase(r)),
      .caption = fmt::format("Dot: one {}; bar: its own 95 % interval, which does not cover other {}.", dot, others)};
  p.table = {p.title, {std::string(words.one), "result", "95 % interval"}, "lrl"};
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
    p.caption += fmt::format(" Line and shade: the result over all {} and its interval{}{}.", words.many,
                             r.one_process ? "; " : "", r.one_process ? kNotBetweenProcesses : "");
  }
  draw_rows(p, rows, axis);
  return p;
}

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
// How long the stages of a pipeline take: as it runs, and as each method reads them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/pipeline_ways.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/pictures/stage_colours.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::size_t place_of(const Stage& s, const std::vector<std::string>& names) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), s.name) - names.begin());
}

IntervalRow stage_row(const Stage& s, const std::string& metric, const Metric& m) {
  const Figure f = figure(m.estimate, m.unit);
  return {.label = fmt::format("{}, {}", s.name, full_title(metric)),
          .value = f.plain(),
          .estimate = m.estimate,
          .words = fmt::format("{}, {}: {}{}", s.name, full_title(metric), f.plain(),
                               s.about.empty() ? "" : "; " + s.about)};
}

// The marks' case tells how stages run in the pipeline; of another record the last that has any.
const Case* as_it_runs(const Record& r) {
  const Case* found = case_of_way(r, pipeline_way::event);
  if (found && !found->stages.empty()) return found;
  for (const Case& c : r.cases) {
    if (!c.stages.empty()) found = &c;
  }
  return found && !found->stages.empty() ? found : nullptr;
}

const Metrics::value_type* time_of(const Stage& s) {
  if (const auto it = s.metrics.find(metric::reading); it != s.metrics.end() && it->second.known()) return &*it;
  for (const auto* m : in_order(s.metrics)) {
    if (m->second.known() && m->second.unit == unit::ns) return m;
  }
  return nullptr;
}

void add_share(IntervalRow& row, const Stage& s, double time, const Metric* whole) {
  row.label = s.about.empty() ? s.name : fmt::format("{} ({})", s.name, s.about);
  if (!whole || whole->estimate.value <= 0) return;
  row.value += fmt::format(", {}", format_percent(time / whole->estimate.value));
}

}  // namespace

std::optional<Plot> stage_split(const Record& r) {
  const Case* c = as_it_runs(r);
  if (!c) return {};
  const Metric* whole = r.find(metric::latency);
  Plot p{.title = "Where the time goes",
         .description = "The time of each stage as the pipeline runs.",
         .caption =
             "Bar: median of the stage as the pipeline runs; line on it: its 95 % interval; share of one "
             "iteration. Stages that overlap add up to more than all of it."};
  p.table = {p.title, {"stage", "median", "95 % interval", "share", "what"}, "lrlrl"};
  const std::vector<std::string> names = stage_names(r);
  std::vector<IntervalRow> rows;
  for (const Stage& s : c->stages) {
    const auto* m = time_of(s);
    if (!m) continue;
    const double time = m->second.estimate.value;
    rows.push_back(stage_row(s, m->first, m->second));
    rows.back().series = place_of(s, names);
    const Figure f = figure(m->second.estimate, unit::ns);
    rows.back().value = fmt::format("{} {}", f.number, f.unit);
    add_share(rows.back(), s, time, whole);
    const bool shared = whole && whole->estimate.value > 0;
    p.table.rows.push_back({escaped(s.name), number(time, m->first, "split/" + s.name, f.number + " " + f.unit),
                            escaped(f.interval), escaped(shared ? format_percent(time / whole->estimate.value) : ""),
                            escaped(s.about)});
  }
  if (rows.empty()) return {};
  draw_rows(p, rows, {.unit = unit::ns, .name = "time", .bars = true});
  return p;
}

std::optional<Plot> stages(const Record& r) {
  Plot p{.title = "The stages, by each method",
         .description = "The time of each stage of the pipeline as each method reads it.",
         .caption = "Bar: median; line on it: its 95 % interval. A colour is a stage."};
  p.table = {p.title, {"method", "stage", "metric", "median", "95 % interval"}, "lllrl"};
  const std::vector<std::string> names = stage_names(r);
  std::vector<IntervalRow> rows;
  for (const Case& c : r.cases) {
    std::string heading = c.name;
    for (const Stage& s : c.stages) {
      for (const auto* m : in_order(s.metrics)) {
        if (!m->second.known() || m->second.unit != unit::ns) continue;
        rows.push_back(stage_row(s, m->first, m->second));
        rows.back().series = place_of(s, names);
        rows.back().heading = std::exchange(heading, {});
        const Figure f = figure(m->second.estimate, unit::ns);
        p.table.rows.push_back(
            {escaped(c.name), escaped(s.name), escaped(full_title(m->first)),
             number(m->second.estimate.value, m->first, c.name + "/" + s.name, f.number + " " + f.unit),
             escaped(f.interval)});
      }
    }
  }
  if (rows.empty()) return {};
  draw_rows(p, rows, {.unit = unit::ns, .name = "time", .bars = true});
  return p;
}

}  // namespace strobe::page

// What each method read, as bars; a line across them where the metric is that they are taken for.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

IntervalRow row_of(const Case& c, const Record& r) {
  IntervalRow row{.label = c.name, .value = {}, .words = {}};
  const Metric* m = known_metric(c.metrics, "reading");
  if (!m) {
    row.error = c.error.empty() ? "no reading" : c.error;
    row.value = "cannot be used";
    row.words = fmt::format("{}: cannot be used: {}", c.name, row.error);
    return row;
  }
  const Figure f = figure(m->median, m->unit);
  const std::string claims = setting(c.settings, "claims"), off = difference_text(c);
  row.estimate = m->median;
  row.value = fmt::format("{} {}{}", f.number, f.unit, off.empty() ? "" : ", off " + off);
  row.words =
      fmt::format("{}: {}; {} from {}: {}", c.name, f.plain(), off.empty() ? "?" : off, full_title(claims), c.about);
  if (const Metric* truth = r.find(claims)) row.truth = truth->median.value;
  row.series = c.difference && std::abs(*c.difference) > 0.05 ? 1 : 0;
  return row;
}

// Those that are taken for the same metric stand together, under its name.
std::vector<IntervalRow> grouped(std::vector<const Case*> cases, const Record& r) {
  const auto claims = [](const Case* c) { return setting(c->settings, "claims"); };
  std::stable_sort(cases.begin(), cases.end(),
                   [&](const Case* a, const Case* b) { return metric_order(claims(a)) < metric_order(claims(b)); });
  std::vector<IntervalRow> rows;
  std::string group;
  for (const Case* c : cases) {
    rows.push_back(row_of(*c, r));
    if (rows.size() > 1 && claims(c) == group) continue;
    group = claims(c);
    const Metric* truth = r.find(group);
    rows.back().heading = group.empty()
                              ? "no figure"
                              : fmt::format("taken for {}{}", full_title(group),
                                            truth ? ": " + figure(truth->median.value, truth->unit).plain() : "");
  }
  return rows;
}

Cells table_of(const std::string& caption, const std::vector<const Case*>& cases) {
  Cells t{caption, {"method", "reads", "95 % interval", "off", "from", "what it counts"}, "lrlrll"};
  for (const Case* c : cases) {
    const Metric* m = known_metric(c->metrics, "reading");
    if (!m) {
      t.rows.push_back({escaped(c->name), {}, {}, {}, {}, escaped("cannot be used: " + c->error)});
      continue;
    }
    const Figure f = figure(m->median, m->unit);
    t.rows.push_back({escaped(c->name), number(m->median.value, "reading", c->name, f.number + " " + f.unit),
                      escaped(f.interval), escaped(difference_text(*c)),
                      escaped(full_title(setting(c->settings, "claims"))), escaped(c->about)});
  }
  return t;
}

Plot plot_of(const std::string& title, const std::vector<const Case*>& cases, const Record& r) {
  Plot p{.title = title,
         .description = fmt::format("{} readings against the metrics that they are taken for.", cases.size()),
         .caption =
             "Bar: what the method read. Line: the metric it is taken for, by a method that is right for it. A "
             "reading that is over 5 % off has another colour."};
  draw_rows(p, grouped(cases, r), {.unit = "ns", .name = "reading", .bars = true});
  p.table = table_of(title, cases);
  return p;
}

}  // namespace

std::vector<Plot> method_bars(const Record& r) {
  std::vector<const Case*> named, matrix;
  for (const Case& c : r.cases) {
    const bool has_axes = c.name.find(',') != std::string::npos;
    (has_axes && r.device.asynchronous ? matrix : named).push_back(&c);
  }
  std::vector<Plot> plots;
  if (!named.empty()) plots.push_back(plot_of("What each method reads", named, r));
  if (!matrix.empty()) plots.push_back(plot_of("Every combination of clock, wait and reading", matrix, r));
  return plots;
}

}  // namespace strobe::page

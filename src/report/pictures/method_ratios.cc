// SPDX-License-Identifier: Apache-2.0
// What each method reads, divided by the metric that it is taken for: right of the line it reads too much, left of it
// too little.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "report/method_errors.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string claims(const Case& c) {
  return c.claims;
}

IntervalRow unusable(const Case& c, const MethodReading& m) {
  IntervalRow row{.label = c.name, .value = "cannot be used", .words = {}};
  row.error = c.error;
  if (c.error.empty()) {
    row.error = "there is no reference";
    row.value = m.text.empty() ? row.error : m.text + ", no reference";
  }
  row.words = fmt::format("{}: {}: {}", c.name, row.value, row.error);
  return row;
}

IntervalRow row_of(const Case& c) {
  const MethodReading m = method_reading(c);
  if (!c.difference) return unusable(c, m);
  const std::string off = difference_text(c);
  IntervalRow row{.label = c.name, .value = fmt::format("{}, {}", m.text, off), .words = {}};
  row.words = fmt::format("{}: {}, {} from {}: {}", c.name, m.text, off, full_title(claims(c)), c.about);
  row.estimate.value = 1 + *c.difference;
  const double scale = row.estimate.value / m.estimate.value;
  const auto side = [&](std::optional<double> x) { return x && *x > 0 ? std::optional(*x * scale) : std::nullopt; };
  if (m.estimate.bounded() && side(m.estimate.low)) {
    row.estimate.low = side(m.estimate.low);
    row.estimate.high = side(m.estimate.high);
  }
  row.series = is_off(c) ? 1 : 0;
  return row;
}

// The worst first, what gives no figure last.
bool worse(const Case* a, const Case* b) {
  const auto size = [](const Case* c) {
    return c->difference ? std::fabs(std::log(std::max(1e-6, 1 + *c->difference))) : -1.0;
  };
  return size(a) > size(b);
}

Cells table_of(const std::string& caption, const std::vector<const Case*>& cases) {
  Cells t{caption, {"method", "reads", "95 % interval", "off", "what it counts"}, "lrlrl"};
  for (const Case* c : cases) {
    if (!c->error.empty()) {
      t.rows.push_back({escaped(c->name), {}, {}, {}, escaped("cannot be used: " + c->error)});
      continue;
    }
    const MethodReading m = method_reading(*c);
    t.rows.push_back({escaped(c->name), number(m.estimate.value, "reading", c->name, m.text), escaped(m.interval),
                      escaped(difference_text(*c)), escaped(c->about)});
  }
  return t;
}

Plot plot_of(const std::string& metric, std::vector<const Case*> cases, const Record& r) {
  std::stable_sort(cases.begin(), cases.end(), worse);
  const Metric* truth = r.find(metric);
  Plot p{.title = metric.empty() ? "Without a result"
                                 : fmt::format("Ways to time {}{}", full_title(metric),
                                               truth ? ": " + figure(truth->estimate.value, truth->unit).plain() : ""),
         .description = fmt::format("{} readings against the metric that they are taken for.", cases.size()),
         .caption =
             "Dot: the method's reading divided by the reference; line: 95 % "
             "interval. Shaded: within 5 %; squares are outside it. The axis is logarithmic."};
  std::vector<IntervalRow> rows;
  for (const Case* c : cases) rows.push_back(row_of(*c));
  draw_rows(p, rows,
            {.unit = "",
             .name = "reading ÷ reference",
             .line = 1,
             .band = Range{1 - kMethodTolerance, 1 + kMethodTolerance},
             .logarithmic = true,
             .less = "← too little",
             .more = "too much →"});
  p.table = table_of(p.title, cases);
  return p;
}

}  // namespace

std::vector<Plot> method_ratios(const Record& r) {
  std::vector<std::string> metrics;
  for (const Case& c : r.cases) {
    if (std::find(metrics.begin(), metrics.end(), claims(c)) == metrics.end()) metrics.push_back(claims(c));
  }
  std::stable_sort(metrics.begin(), metrics.end(),
                   [](const auto& a, const auto& b) { return metric_order(a) < metric_order(b); });
  std::vector<Plot> plots;
  for (const std::string& metric : metrics) {
    std::vector<const Case*> cases;
    for (const Case& c : r.cases) {
      if (claims(c) == metric) cases.push_back(&c);
    }
    plots.push_back(plot_of(metric, std::move(cases), r));
  }
  return plots;
}

}  // namespace strobe::page

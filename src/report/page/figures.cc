// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "report/page/sections.h"
#include "report/standing_text.h"
#include "report/study_view.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::set<double> percentiles_of(const Metrics& metrics) {
  std::set<double> all;
  for (const auto& [name, m] : metrics) {
    for (const Percentile& q : m.percentiles) all.insert(q.p);
  }
  return all;
}

Html percentile_cell(const std::string& name, const Metric& m, double p) {
  for (const Percentile& q : m.percentiles) {
    if (q.p != p) continue;
    if (!q.estimate) return escaped(fmt::format("needs {} requests", format_count(q.needs.value_or(0))));
    const Figure f = figure(*q.estimate, m.unit);
    const std::string field = percentile_label(p);
    return {number(q.estimate->value, name, field, f.number + " " + f.unit).text + " " +
            interval(*q.estimate, name, field, m.unit).text};
  }
  return {};
}

Cells table_of(const Metrics& metrics, bool one_process) {
  const std::set<double> percentiles = percentiles_of(metrics);
  Cells t{"Medians and percentiles with their 95 % intervals", {"metric", "median", "95 % interval"}, "lrl"};
  const bool stands =
      std::any_of(metrics.begin(), metrics.end(), [](const auto& m) { return m.second.verdict.has_value(); });
  if (stands) {
    t.head.push_back(one_process ? "the next load" : "the next run");
    t.alignment += 'l';
  }
  for (const double p : percentiles) {
    t.head.push_back(percentile_label(p));
    t.alignment += 'l';
  }
  t.head.insert(t.head.end(), {"samples", "independent"});
  t.alignment += "rr";
  for (const auto* entry : in_order(metrics)) {
    const auto& [name, m] = *entry;
    if (!m.known()) {
      t.rows.push_back({escaped(full_title(name)), escaped("unknown")});
      continue;
    }
    const Figure f = figure(m.estimate, m.unit);
    std::vector<Html> row{escaped(full_title(name)), number(m.estimate.value, name, "median", f.number + " " + f.unit),
                          interval(m.estimate, name, "median", m.unit)};
    if (stands) row.push_back(escaped(standing_text(m)));
    for (const double p : percentiles) row.push_back(percentile_cell(name, m, p));
    row.push_back(escaped(format_count(m.n)));
    row.push_back(escaped(format_count(static_cast<std::uint64_t>(m.n_eff))));
    t.rows.push_back(std::move(row));
  }
  return t;
}

std::string definitions(const Record& r) {
  std::string out = R"(<details class="print"><summary>What these metrics mean</summary><dl>)";
  for (const auto* entry : in_order(r.metrics)) {
    if (const std::string_view definition = definition_of(entry->first, r); !definition.empty())
      out += fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(full_title(entry->first)).text, escaped(definition).text);
  }
  return out +
         "<dt>independent</dt><dd>The equivalent number of independent samples: neighbours are often "
         "correlated.</dd></dl></details>";
}

}  // namespace

std::string figures_section(const Record& r, const Outline& o) {
  if (r.metrics.empty()) return {};
  std::string out = "<section>" + o.heading(1, study_view(r).figures) + render(table_of(r.metrics, r.one_process));
  for (const auto* entry : in_order(r.metrics)) {
    if (!entry->second.known())
      out += fmt::format("<p>{} is unknown: {}.</p>", escaped(full_title(entry->first)).text,
                         escaped(entry->second.unknown).text);
  }
  for (const auto* entry : in_order(r.metrics)) {
    if (const std::string copied = copy_text(entry->first, r); !copied.empty())
      out += fmt::format("<p>{}: {}.</p>", escaped(full_title(entry->first)).text, escaped(copied).text);
  }
  return out + definitions(r) + "</section>\n";
}

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/case_grid.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "record/metric_names.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::optional<double> as_number(const std::string& text) {
  char* end = nullptr;
  const double x = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' ? std::optional(x) : std::nullopt;
}

std::size_t place(std::vector<std::string>& list, const std::string& x) {
  const auto it = std::find(list.begin(), list.end(), x);
  if (it != list.end()) return static_cast<std::size_t>(it - list.begin());
  list.push_back(x);
  return list.size() - 1;
}

// Settings with more than one value, and these values.
std::map<std::string, std::vector<std::string>> differing(const std::vector<Case>& cases) {
  std::map<std::string, std::vector<std::string>> values;
  for (const Case& c : cases) {
    for (const auto& [key, value] : c.settings) place(values[key], scalar_text(value));
  }
  std::erase_if(values, [](const auto& v) { return v.second.size() < 2; });
  return values;
}

std::string axis_key(const std::map<std::string, std::vector<std::string>>& values) {
  if (values.contains("batch")) return "batch";
  const auto most = std::max_element(values.begin(), values.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return most == values.end() ? "" : most->first;
}

// By size where all are numbers, else as they came.
void sort_columns(std::vector<std::string>& columns) {
  if (std::all_of(columns.begin(), columns.end(), [](const auto& c) { return as_number(c).has_value(); }))
    std::stable_sort(columns.begin(), columns.end(),
                     [](const auto& a, const auto& b) { return *as_number(a) < *as_number(b); });
}

std::optional<double> rate_at(const GridPoint* p) {
  const Metric* m = known_metric(p->source->metrics, metric::throughput);
  return m ? std::optional(m->estimate.value) : std::nullopt;
}

// Those with a rate come first, by that.
const GridPoint* standing_for(std::vector<GridPoint*> trials, const Record& r) {
  std::stable_sort(trials.begin(), trials.end(), [](const GridPoint* a, const GridPoint* b) {
    const auto x = rate_at(a), y = rate_at(b);
    return x && y ? *x < *y : x.has_value() && !y;
  });
  const Metric* reported = r.find(metric::throughput);
  for (const GridPoint* p : trials) {
    if (reported && rate_at(p) == reported->estimate.value) return p;
  }
  const auto rated = std::count_if(trials.begin(), trials.end(), [](const GridPoint* p) { return rate_at(p); });
  return trials[static_cast<std::size_t>(rated / 2)];
}

void mark_repeats(CaseGrid& g, const Record& r) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<GridPoint*>> points;
  for (GridPoint& p : g.points) {
    if (p.source->error.empty()) points[{p.column, p.series}].push_back(&p);
  }
  for (const auto& [place_of, trials] : points) {
    const GridPoint* first = standing_for(trials, r);
    for (GridPoint* p : trials) p->again = p != first;
  }
}

}  // namespace

CaseGrid grid_of(const Record& r) {
  const std::vector<Case>& cases = r.cases;
  auto values = differing(cases);
  CaseGrid g;
  g.key = axis_key(values);
  if (!g.key.empty()) g.columns = values[g.key];
  values.erase(g.key);
  sort_columns(g.columns);
  for (const Case& c : cases) {
    std::string rest;
    for (const auto& [key, unused] : values) {
      const std::string value = setting(c.settings, key);
      if (!value.empty()) rest += fmt::format("{}{}={}", rest.empty() ? "" : " ", key, value);
    }
    const std::size_t column = place(g.columns, g.key.empty() ? c.name : setting(c.settings, g.key));
    g.points.push_back({&c, column, place(g.series, rest)});
  }
  std::stable_sort(g.points.begin(), g.points.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  mark_repeats(g, r);
  return g;
}

}  // namespace strobe::page

// SPDX-License-Identifier: Apache-2.0
// What a search says about itself: points that it tried more than once.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

using Rates = std::vector<const Estimate*>;

bool surely_below(const Estimate& a, const Estimate& b) {
  return a.high && b.low && *a.high < *b.low;
}

// The rates of each point that ran, with its name: none outside a search, whose trials alone have an outcome.
std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::pair<std::string, Rates>> repeats(const Record& r) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::pair<std::string, Rates>> points;
  for (const Case& c : r.cases) {
    const auto rate = c.metrics.find(metric::throughput);
    if (c.outcome != trial_word::fits || rate == c.metrics.end() || !rate->second.known()) continue;
    auto& [name, rates] = points[{fact<std::int64_t>(c.settings, "batch").value_or(0),
                                  fact<std::int64_t>(c.settings, "streams").value_or(1),
                                  fact<std::int64_t>(c.settings, "in_flight").value_or(1)}];
    name = c.name;
    rates.push_back(&rate->second.estimate);
  }
  return points;
}

}  // namespace

// Two trials of one point answer one question: where they differ by more than their intervals, at least one of them,
// and with it every comparison between points, may be off by as much.
std::optional<Finding> trials_disagree(const Record& r) {
  double worst = 0, low = 0, high = 0;
  std::string where;
  double points = 0;
  for (const auto& [key, point] : repeats(r)) {
    const auto by_value = [](const Estimate* a, const Estimate* b) { return a->value < b->value; };
    const auto [slowest, fastest] = std::minmax_element(point.second.begin(), point.second.end(), by_value);
    if (!surely_below(**slowest, **fastest)) continue;
    ++points;
    const double effect = 1 - (*slowest)->value / (*fastest)->value;
    if (effect <= worst) continue;
    worst = effect;
    low = (*slowest)->value;
    high = (*fastest)->value;
    where = point.first;
  }
  if (points == 0) return {};
  return Finding{.id = "trials-disagree",
                 .severity = by_effect(worst, r),
                 .message = fmt::format("{} ran at {} and at {} in the same search: {} slower, beyond both intervals",
                                        where, figure(high, unit::items_per_second).plain(),
                                        figure(low, unit::items_per_second).plain(), format_percent(worst)),
                 .advice = "Leave the machine alone and search again; --effort sustained makes each trial longer.",
                 .evidence = {{"effect", worst}, {"points", points}}};
}

}  // namespace strobe

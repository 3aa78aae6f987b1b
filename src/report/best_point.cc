// SPDX-License-Identifier: Apache-2.0
#include "report/best_point.h"

#include <algorithm>

#include "record/metric_names.h"
#include "report/words.h"

namespace strobe {
namespace {

const Case* extreme_point(const Record& r, std::string_view metric, bool most) {
  const Case* best = nullptr;
  for (const Case& c : r.cases) {
    const Metric* m = known_metric(c.metrics, metric);
    if (!m) continue;
    const double value = m->estimate.value, record = best ? known_metric(best->metrics, metric)->estimate.value : value;
    if (!best || (most ? value > record : value < record)) best = &c;
  }
  return best;
}

bool overlap(const Estimate& a, const Estimate& b) {
  return a.low.value_or(a.value) <= b.high.value_or(b.value) && b.low.value_or(b.value) <= a.high.value_or(a.value);
}

}  // namespace

const Case* quickest_point(const Record& r) {
  return extreme_point(r, metric::latency, false);
}

BestPoint best_point(const Record& r) {
  BestPoint b{extreme_point(r, metric::throughput, true), metric::throughput, 0};
  if (!b.point) b = {quickest_point(r), metric::latency, 0};
  if (!b.point) return {};
  const Estimate& best = known_metric(b.point->metrics, b.metric)->estimate;
  for (const Case& c : r.cases) {
    const Metric* m = known_metric(c.metrics, b.metric);
    b.rivals += m && &c != b.point && overlap(m->estimate, best);
  }
  return b;
}

}  // namespace strobe

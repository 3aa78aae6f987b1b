// SPDX-License-Identifier: Apache-2.0
#include "measure/readings.h"

#include <algorithm>

#include "measure/analysis.h"
#include "stats/summary.h"

namespace strobe {

Metric describe_readings(std::span<const double> ns, double tick) {
  Metric m;
  if (ns.empty()) {
    m.unknown = "nothing was read";
    return m;
  }
  stats::SummaryOptions options;
  options.percentiles = {};
  options.pictures = false;
  const stats::Summary s = stats::summarize({ns, {}, {}, tick}, options);
  m.n = s.n;
  m.n_eff = s.size.n_eff;
  m.estimate = from_stats(s.median);
  m.mean = from_stats(s.mean);
  m.stddev = s.stddev;
  m.min = s.min;
  m.max = s.max;
  m.facts.tick = s.tick;
  m.facts.lag1 = s.lag1;
  m.facts.n_eff_tau = s.size.tau;
  return m;
}

Metric describe_placed(std::span<const double> ns, double tick, nanoseconds uncertainty) {
  Metric m = describe_readings(ns, tick);
  const double off = to_double(uncertainty);
  for (Estimate* e : {&m.estimate, m.mean ? &*m.mean : nullptr}) {
    if (!e) continue;
    if (e->low) *e->low = std::max(0.0, *e->low - off);
    if (e->high) *e->high += off;
  }
  return m;
}

}  // namespace strobe

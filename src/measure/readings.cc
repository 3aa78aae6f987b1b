#include "measure/readings.h"

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
  m.median = {s.median.value, s.median.low, s.median.high, true, {}};
  m.mean = Estimate{s.mean.value, s.mean.low, s.mean.high, true, {}};
  m.stddev = s.stddev, m.min = s.min, m.max = s.max;
  m.facts.tick = s.tick, m.facts.lag1 = s.lag1;
  return m;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "stats/summary.h"

#include <algorithm>

#include "stats/agreeing_limits.h"
#include "stats/autocorrelation.h"
#include "stats/mean.h"
#include "stats/quantile.h"
#include "stats/quantile_estimate.h"
#include "stats/tick.h"

namespace strobe::stats {
namespace {

Percentile percentile(const Series& s, std::span<const double> sorted, std::span<const Range> parts, double p,
                      Confidence c) {
  const QuantileEstimate q = estimate_quantile(s.values, sorted, parts, p, c);
  Percentile out{.p = p, .estimate = q.estimate, .size = q.size, .needs = std::nullopt};
  if (!supported(q, c)) out.needs = std::max(requests_needed(p, q.size.tau, c), sorted.size() + 1);
  return out;
}

// Of what is shown: the median, and the percentiles that are supported.
void let_limits_agree(Summary& out) {
  std::vector<Percentile*> shown;
  for (Percentile& p : out.percentiles) {
    if (!p.needs) shown.push_back(&p);
  }
  std::sort(shown.begin(), shown.end(), [](const Percentile* a, const Percentile* b) { return a->p < b->p; });
  std::vector<Estimate*> by_level;
  for (Percentile* p : shown) by_level.push_back(&p->estimate);
  const auto upper_half = std::find_if(shown.begin(), shown.end(), [](const Percentile* p) { return p->p > 0.5; });
  by_level.insert(by_level.begin() + (upper_half - shown.begin()), &out.median);
  make_limits_agree<Estimate>(by_level);
}

void add_location(Summary& out, const Series& s, std::span<const double> sorted, std::span<const Range> parts,
                  const SummaryOptions& options) {
  const QuantileEstimate middle = estimate_quantile(s.values, sorted, parts, 0.5, options.confidence);
  out.size = middle.size;
  out.median = middle.estimate;
  out.mean = mean_interval(s.values, parts, options.confidence);
  out.stddev = stddev(s.values);
  out.min = sorted.front();
  out.max = sorted.back();
  for (const double p : options.percentiles)
    out.percentiles.push_back(percentile(s, sorted, parts, p, options.confidence));
  let_limits_agree(out);
}

void add_behaviour(Summary& out, const Series& s, std::span<const double> sorted, std::span<const Range> parts,
                   const SummaryOptions& options) {
  const double floor = s.tick / 2;
  out.outliers = find_outliers(s.values, s.tick);
  out.lag1 = lag1(s);
  out.drift = find_drift(log_medians(s.values, parts, floor), parts, options.margin);
  out.blocks = blocks(s.values.size(), s.round);
  out.shifts = find_level_shifts(log_medians(s.values, out.blocks, floor), relative_tick(s, out.median.value));
  out.modes = find_modes(sorted, s);
}

}  // namespace

Summary summarize(const Series& given, const SummaryOptions& options) {
  Summary out;
  Series s = given;
  out.n = s.values.size();
  if (out.n == 0) return out;
  std::vector<double> sorted(s.values.begin(), s.values.end());
  std::sort(sorted.begin(), sorted.end());
  out.tick_guessed = !(s.tick > 0);
  if (out.tick_guessed) s.tick = guess_tick(sorted);
  out.tick = s.tick;
  const std::vector<Range> parts = batches(out.n, s.round);
  add_location(out, s, sorted, parts, options);
  add_behaviour(out, s, sorted, parts, options);
  if (options.pictures) out.histogram = histogram(sorted, s.tick);
  return out;
}

}  // namespace strobe::stats

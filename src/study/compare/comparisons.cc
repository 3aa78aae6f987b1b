// SPDX-License-Identifier: Apache-2.0
#include "study/compare/comparisons.h"

#include <algorithm>

#include "record/estimates.h"
#include "record/metric_info.h"

namespace strobe {
namespace {

// The statistics speak of times: there less is faster.
std::string_view word_of(stats::Outcome outcome, std::string_view metric) {
  const auto [better, worse] = change_words(metric);
  switch (outcome) {
    case stats::Outcome::faster:
      return less_is_better(metric) ? better : worse;
    case stats::Outcome::slower:
      return less_is_better(metric) ? worse : better;
    case stats::Outcome::equivalent:
      return "equivalent";
    case stats::Outcome::cannot_tell:
      return "cannot-tell";
  }
  return "cannot-tell";
}

const Estimate* percentile_in(const Case& c, const std::string& metric, double p) {
  const auto m = c.metrics.find(metric);
  if (m == c.metrics.end() || !m->second.known()) return nullptr;
  for (const Percentile& q : m->second.percentiles) {
    if (q.p == p && q.estimate && q.estimate->bounded() && *q.estimate->low > 0) return &*q.estimate;
  }
  return nullptr;
}

}  // namespace

Comparison to_comparison(std::string a, std::string b, std::string metric, const stats::RatioComparison& c) {
  Comparison out;
  out.outcome = word_of(c.outcome, metric);
  out.a = std::move(a);
  out.b = std::move(b);
  out.metric = std::move(metric);
  out.ratio = make_estimate(c.ratio.value, c.ratio.low, c.ratio.high, "too few pairs to bound it");
  out.pairs = c.pairs;
  out.needs = c.needs;
  return out;
}

std::optional<Comparison> compare_percentile(const Case& a, const Case& b, const std::string& metric, double percentile,
                                             double margin, std::size_t pairs) {
  const Estimate *x = percentile_in(a, metric, percentile), *y = percentile_in(b, metric, percentile);
  if (!x || !y) return std::nullopt;
  stats::RatioComparison c;
  c.ratio = {.value = y->value / x->value, .low = *y->low / *x->high, .high = *y->high / *x->low};
  c.pairs = pairs;
  if (*c.ratio.low > 1 - margin && *c.ratio.high < 1 + margin)
    c.outcome = stats::Outcome::equivalent;
  else if (*c.ratio.low > 1 || *c.ratio.high < 1)
    c.outcome = c.ratio.value > 1 ? stats::Outcome::slower : stats::Outcome::faster;
  Comparison out = to_comparison(a.name, b.name, metric, c);
  out.percentile = percentile;
  return out;
}

}  // namespace strobe

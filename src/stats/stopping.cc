// SPDX-License-Identifier: Apache-2.0
#include "stats/stopping.h"

#include <algorithm>
#include <cmath>

#include "stats/drift.h"
#include "stats/level_shift.h"
#include "stats/quantile.h"
#include "stats/quantile_estimate.h"

namespace strobe::stats {
namespace {

constexpr double kGrowth = 1.5;
constexpr double kSoonest = 0.1;  // seconds: each look costs time of its own
constexpr std::size_t kFewest = 100;
constexpr std::size_t kFewestSlow = 20;
constexpr double kSlowRequest = 0.05;  // seconds
constexpr double kFewestBeyond = 10;   // independent samples beyond a tail quantile
constexpr std::size_t kFewestClusters = 20;
constexpr std::size_t kClusterGap = 10;

bool too_few(const Look& g) {
  return g.n < (g.request_seconds > kSlowRequest ? kFewestSlow : kFewest);
}

bool too_wide(const Look& g, double margin) {
  const auto width = relative_half_width(g.median, g.tick);
  return !width || *width > margin;
}

bool unsupported(const Tail& t) {
  return !t.bounded || t.n_eff * (1 - t.p) < kFewestBeyond || t.clusters < kFewestClusters;
}

struct Condition {
  Reason reason;
  bool (*holds)(const Look&, const StopRule&);
};

constexpr Condition kConditions[] = {
    {Reason::too_few, [](const Look& g, const StopRule&) { return too_few(g); }},
    {Reason::median_width, [](const Look& g, const StopRule& r) { return too_wide(g, r.margin); }},
    {Reason::drift, [](const Look& g, const StopRule&) { return g.drifting; }},
    {Reason::warm_up, [](const Look& g, const StopRule&) { return g.settling == Settling::not_settled; }},
    {Reason::level_shift, [](const Look& g, const StopRule&) { return g.shifting; }},
    {Reason::tail_unsupported,
     [](const Look& g, const StopRule&) { return std::any_of(g.tails.begin(), g.tails.end(), unsupported); }},
};

std::optional<double> widest(std::span<const Look> looks) {
  double out = 0;
  for (const Look& g : looks) {
    const auto width = relative_half_width(g.median, g.tick);
    if (!width) return std::nullopt;
    out = std::max(out, *width);
  }
  return looks.empty() ? std::nullopt : std::optional(out);
}

}  // namespace

StopRule quick_rule() {
  return {.shortest_seconds = 2, .longest_seconds = 10, .margin = 0.01};
}
StopRule standard_rule() {
  return {};
}
StopRule sustained_rule() {
  return {.shortest_seconds = 60, .longest_seconds = 300, .passes = 2};
}

std::vector<double> checkpoints(double shortest, double longest) {
  std::vector<double> out;
  for (double t = std::max(shortest, kSoonest); t < longest; t *= kGrowth) out.push_back(t);
  out.push_back(longest);
  return out;
}

std::size_t exceedance_clusters(std::span<const double> values, double threshold) {
  std::size_t clusters = 0;
  std::size_t quiet = kClusterGap + 1;  // samples since the last exceedance, itself included
  for (const double x : values) {
    if (x <= threshold) {
      ++quiet;
      continue;
    }
    if (quiet > kClusterGap) ++clusters;
    quiet = 0;
  }
  return clusters;
}

Look examine(const Series& retained, double request_seconds, Settling settling, const StopRule& rule) {
  const std::size_t n = retained.values.size();
  Look g{.n = n, .request_seconds = request_seconds, .tick = retained.tick, .settling = settling};
  if (n == 0) return g;
  std::vector<double> sorted(retained.values.begin(), retained.values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::vector<Range> parts = batches(n, retained.round);
  g.median = estimate_quantile(retained.values, sorted, parts, 0.5, rule.confidence).estimate;
  const double floor = retained.tick / 2;
  g.drifting = find_drift(log_medians(retained.values, parts, floor), parts, rule.margin).flagged;
  const auto shifts = find_level_shifts(log_medians(retained.values, blocks(n, retained.round), floor),
                                        relative_tick(retained, g.median.value));
  g.shifting = shift_in_progress(shifts);
  for (const double p : rule.tails) {
    const QuantileEstimate q = estimate_quantile(retained.values, sorted, parts, p, rule.confidence);
    g.tails.push_back({.p = p,
                       .bounded = bounded(q.estimate),
                       .n_eff = q.size.n_eff,
                       .clusters = exceedance_clusters(retained.values, q.estimate.value)});
  }
  return g;
}

StopDecision decide(std::span<const Look> looks, double retained_seconds, const StopRule& rule,
                    std::size_t earlier_passes) {
  StopDecision d;
  d.half_width = widest(looks);
  if (retained_seconds < rule.shortest_seconds) d.reasons.push_back(Reason::window_short);
  for (const Condition& c : kConditions)
    if (std::any_of(looks.begin(), looks.end(), [&](const Look& g) { return c.holds(g, rule); }))
      d.reasons.push_back(c.reason);
  d.passes = d.reasons.empty() ? earlier_passes + 1 : 0;
  d.converged = d.passes >= rule.passes;
  d.stop = d.converged || retained_seconds >= rule.longest_seconds;
  return d;
}

}  // namespace strobe::stats

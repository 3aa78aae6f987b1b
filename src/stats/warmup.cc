// SPDX-License-Identifier: Apache-2.0
#include "stats/warmup.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/batches.h"
#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr double kNarrowestBand = 0.001;
constexpr double kNoNoise = 0.0005;
constexpr double kDemandedGain = 0.95;
constexpr double kTie = 1e-15;
constexpr double kLimit = 0.45;  // of the blocks

// Deviations from the centre of the last half, clipped to three bands.
std::vector<double> clipped(std::span<const double> z, double tick) {
  const auto second_half = z.subspan(z.size() / 2);
  std::vector<double> sorted(second_half.begin(), second_half.end());
  std::sort(sorted.begin(), sorted.end());
  const double centre = median(sorted);
  const double band = std::max({quantile(sorted, 0.9) - quantile(sorted, 0.1), kNarrowestBand, 4 * tick});
  std::vector<double> out;
  out.reserve(z.size());
  for (const double x : z) {
    const double deviation = std::clamp(x - centre, -3 * band, 3 * band);
    out.push_back(std::abs(deviation) <= kNoNoise ? 0 : deviation);
  }
  return out;
}

// V(d) for d = 0 .. G/2: the squared standard error, but for a constant, of the mean of what a cut of d blocks leaves.
std::vector<double> cut_costs(std::span<const double> y) {
  std::vector<double> costs(y.size() / 2 + 1);
  double sum = 0;
  double squares = 0;
  for (std::size_t d = y.size(); d-- > 0;) {
    sum += y[d];
    squares += y[d] * y[d];
    const auto left = static_cast<double>(y.size() - d);
    if (d < costs.size()) costs[d] = std::max(squares - sum * sum / left, 0.0) / (left * left);
  }
  return costs;
}

}  // namespace

Warmup find_warmup(std::span<const double> block_logs, double tick) {
  if (block_logs.size() < kFewestWarmupBlocks) return {};
  const std::vector<double> y = clipped(block_logs, tick);
  const std::vector<double> costs = cut_costs(y);
  const double best = *std::min_element(costs.begin(), costs.end()) + kTie;
  const auto first = std::find_if(costs.begin(), costs.end(), [best](double v) { return v <= best; });
  const auto cut = static_cast<std::size_t>(first - costs.begin());
  if (cut == 0 || !(costs[cut] < kDemandedGain * costs[0])) return {};
  Warmup w{.cut = cut};
  const std::span<const double> all(y);
  w.state = mean(all.first(cut)) > mean(all.subspan(cut)) ? Settling::warm_up : Settling::slow_down;
  if (static_cast<double>(cut) >= kLimit * static_cast<double>(y.size())) w.state = Settling::not_settled;
  return w;
}

Warmup find_warmup(const Series& s) {
  const std::vector<Range> parts = warmup_blocks(s.values.size(), s.round);
  const std::vector<double> logs = log_medians(s.values, parts, s.tick / 2);
  if (logs.size() < kFewestWarmupBlocks) return {};
  Warmup w = find_warmup(logs, relative_tick(s, std::exp(median_of(logs))));
  w.sample = parts[w.cut].begin;
  return w;
}

}  // namespace strobe::stats

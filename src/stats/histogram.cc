// SPDX-License-Identifier: Apache-2.0
#include "stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr double kWideRange = 10;  // max / min

double bin_width(double quartile_range, double range, double n) {
  const double fine = 2 * quartile_range / std::cbrt(n);
  return std::max(fine, range / static_cast<double>(kMostBins));
}

std::vector<double> even_edges(std::span<const double> sorted, double tick) {
  const double range = sorted.back() - sorted.front();
  double width = bin_width(quantile(sorted, 0.75) - quantile(sorted, 0.25), range, static_cast<double>(sorted.size()));
  double start = sorted.front();
  if (tick > 0) {
    // Edges half-way between ticks: a value may be a rounding error off its tick.
    width = std::ceil(std::max(width, (range + tick) / static_cast<double>(kMostBins)) / tick) * tick;
    start -= tick / 2;
  }
  const double bins = std::clamp(std::ceil((sorted.back() - start) / width), 1.0, static_cast<double>(kMostBins));
  std::vector<double> edges;
  for (double i = 0; i <= bins; ++i) edges.push_back(start + i * width);
  return edges;
}

std::vector<double> ratio_edges(std::span<const double> sorted) {
  const double low = std::log(sorted.front());
  const double range = std::log(sorted.back()) - low;
  const double quartiles = std::log(quantile(sorted, 0.75) / quantile(sorted, 0.25));
  const double bins = std::max(1.0, std::ceil(range / bin_width(quartiles, range, static_cast<double>(sorted.size()))));
  std::vector<double> edges{sorted.front()};
  for (double i = 1; i <= bins; ++i) edges.push_back(std::exp(low + range * i / bins));
  return edges;
}

}  // namespace

Histogram histogram(std::span<const double> sorted, double tick) {
  Histogram h;
  if (sorted.empty()) return h;
  if (sorted.front() == sorted.back()) return {.edges = {sorted.front(), sorted.back()}, .counts = {sorted.size()}};
  h.logarithmic = sorted.front() > 0 && sorted.back() / sorted.front() > kWideRange;
  h.edges = h.logarithmic ? ratio_edges(sorted) : even_edges(sorted, tick);
  h.edges.back() = std::max(h.edges.back(), sorted.back());
  auto from = sorted.begin();
  for (std::size_t i = 1; i < h.edges.size(); ++i) {
    const auto to = i + 1 == h.edges.size() ? sorted.end() : std::lower_bound(from, sorted.end(), h.edges[i]);
    h.counts.push_back(static_cast<std::size_t>(to - from));
    from = to;
  }
  return h;
}

}  // namespace strobe::stats

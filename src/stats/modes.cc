// SPDX-License-Identifier: Apache-2.0
#include "stats/modes.h"

#include <algorithm>
#include <cmath>

#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr double kValley = 0.5;
constexpr double kSmallestShare = 0.05;
constexpr double kBinsPerWidth = 4;
constexpr double kMostBins = 16384;
constexpr double kReach = 4;         // kernel widths beyond which it is nothing
constexpr double kTakesTurns = 0.5;  // of the changes of mode that random order would have

// Counts of ln x on an even grid that reaches a kernel's width beyond the range.
struct Grid {
  double origin = 0;
  double step = 0;
  std::vector<double> count;
};

struct Support {
  double low = 0;   // 0.5 % point, positive
  double high = 0;  // 99.5 % point
};

Support support(std::span<const double> sorted) {
  const auto positive = std::upper_bound(sorted.begin(), sorted.end(), 0.0);
  if (positive == sorted.end()) return {};
  return {std::max(quantile(sorted, 0.005), *positive), std::max(quantile(sorted, 0.995), *positive)};
}

// Standard deviation of ln x inside the support, from at most a thousand order statistics.
double log_stddev(std::span<const double> inside) {
  const std::size_t stride = std::max<std::size_t>(1, inside.size() / 1000);
  std::vector<double> logs;
  for (std::size_t i = stride / 2; i < inside.size(); i += stride) logs.push_back(std::log(inside[i]));
  return stddev(logs);
}

double kernel_width(std::span<const double> inside, double tick) {
  const double sd = log_stddev(inside);
  const double quartiles = std::log(quantile(inside, 0.75) / quantile(inside, 0.25)) / 1.34;
  const double spread = quartiles > 0 ? std::min(sd, quartiles) : sd;
  return std::max(0.63 * spread * std::pow(static_cast<double>(inside.size()), -0.2), tick / inside.front());
}

Grid binned(std::span<const double> inside, double width) {
  const double low = std::log(inside.front()) - kReach * width;
  const double range = std::log(inside.back()) + kReach * width - low;
  const double bins = std::ceil(std::min(range / width * kBinsPerWidth, kMostBins));
  Grid g{.origin = low, .step = range / bins, .count = std::vector<double>(static_cast<std::size_t>(bins))};
  auto from = inside.begin();
  for (std::size_t i = 0; i < g.count.size(); ++i) {
    const double edge = std::exp(low + g.step * static_cast<double>(i + 1));
    const auto to = i + 1 == g.count.size() ? inside.end() : std::lower_bound(from, inside.end(), edge);
    g.count[i] = static_cast<double>(to - from);
    from = to;
  }
  return g;
}

std::vector<double> smoothed(const Grid& g, double width) {
  std::vector<double> kernel;
  for (double x = 0; x <= kReach * width; x += g.step) kernel.push_back(std::exp(-x * x / (2 * width * width)));
  std::vector<double> out(g.count.size());
  for (std::size_t i = 0; i < g.count.size(); ++i) {
    if (g.count[i] == 0) continue;
    for (std::size_t k = 0; k < kernel.size(); ++k) {
      if (i + k < out.size()) out[i + k] += g.count[i] * kernel[k];
      if (k > 0 && k <= i) out[i - k] += g.count[i] * kernel[k];
    }
  }
  return out;
}

struct Peak {
  double height = 0;
  double valley_height = 0;  // of the lowest point between the peak before and this one
  std::size_t valley_index = 0;
};

std::vector<Peak> peaks(std::span<const double> density) {
  std::vector<Peak> out;
  Peak current;
  bool rising = true;
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (rising) {
      if (density[i] >= current.height) {
        current.height = density[i];
      } else {
        out.push_back(current);
        current = {.height = 0, .valley_height = density[i], .valley_index = i};
        rising = false;
      }
    } else if (density[i] <= current.valley_height) {
      current.valley_height = density[i];
      current.valley_index = i;
    } else {
      current.height = density[i];
      rising = true;
    }
  }
  if (rising) out.push_back(current);
  return out;
}

// Joins neighbours across the shallowest valley until every valley left is at most half its lower peak.
std::vector<std::size_t> valleys(std::vector<Peak> p) {
  const auto depth = [&p](std::size_t i) { return p[i].valley_height / std::min(p[i].height, p[i - 1].height); };
  while (p.size() > 1) {
    std::size_t shallowest = 1;
    for (std::size_t i = 2; i < p.size(); ++i)
      if (depth(i) > depth(shallowest)) shallowest = i;
    if (depth(shallowest) <= kValley) break;
    p[shallowest - 1].height = std::max(p[shallowest - 1].height, p[shallowest].height);
    p.erase(p.begin() + static_cast<std::ptrdiff_t>(shallowest));
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < p.size(); ++i) out.push_back(p[i].valley_index);
  return out;
}

// Modes take turns when neighbours in time share a mode far more often than in random order.
bool takes_turns(const Series& s, std::span<const double> bounds, std::span<const double> shares) {
  const auto mode = [bounds](double x) { return std::upper_bound(bounds.begin(), bounds.end(), x) - bounds.begin(); };
  double same = 0;
  for (const double share : shares) same += share * share;
  std::size_t changes = 0;
  for (std::size_t i = 1; i < s.values.size(); ++i) changes += mode(s.values[i]) != mode(s.values[i - 1]) ? 1 : 0;
  return static_cast<double>(changes) < kTakesTurns * (1 - same) * static_cast<double>(s.values.size() - 1);
}

Modes whole(std::span<const double> sorted) {
  Modes m;
  if (!sorted.empty()) m.modes.push_back({.centre = median(sorted), .share = 1});
  return m;
}

}  // namespace

Modes find_modes(std::span<const double> sorted, const Series& s) {
  const Support range = support(sorted);
  if (sorted.size() < kFewestForModes || !(range.high > range.low)) return whole(sorted);
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), range.low);
  const auto inside = std::span(first, std::upper_bound(first, sorted.end(), range.high));
  const double width = kernel_width(inside, std::max(s.tick, 0.0));
  const Grid grid = binned(inside, width);
  std::vector<double> bounds;
  for (const std::size_t v : valleys(peaks(smoothed(grid, width))))
    bounds.push_back(std::exp(grid.origin + grid.step * (static_cast<double>(v) + 0.5)));
  Modes out;
  std::vector<double> shares;
  auto from = sorted.begin();
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    const auto to = i == bounds.size() ? sorted.end() : std::lower_bound(from, sorted.end(), bounds[i]);
    const auto part = std::span(from, to);
    shares.push_back(static_cast<double>(part.size()) / static_cast<double>(sorted.size()));
    if (shares.back() >= kSmallestShare) out.modes.push_back({.centre = median(part), .share = shares.back()});
    from = to;
  }
  if (out.modes.size() < 2) return whole(sorted);
  out.ordered = takes_turns(s, bounds, shares);
  return out;
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "measure/full_queue.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/middle.h"

namespace strobe {
namespace {

constexpr std::size_t kFewestAfter = 2;
constexpr double kStep = 1.5;
constexpr double kBlocked = 0.1;  // of the step: a request that takes this much longer has waited already
constexpr double kOnItsSide = 0.8;

// Where a step parts the logs of the times best: the least sum of squares around two means. Logs, so that a single slow
// request weighs little.
std::size_t best_split(std::span<const double> ns) {
  std::vector<double> logs;
  for (const double x : ns) logs.push_back(std::log(std::max(x, 1.0)));
  const double all = std::accumulate(logs.begin(), logs.end(), 0.0);
  double before = 0, best = -1;
  std::size_t split = 1;
  for (std::size_t k = 1; k + kFewestAfter <= logs.size(); ++k) {
    before += logs[k - 1];
    const auto n = static_cast<double>(k), rest = static_cast<double>(logs.size() - k), after = all - before;
    const double explained = before * before / n + after * after / rest;
    if (best < 0 || explained > best) {
      best = explained;
      split = k;
    }
  }
  return split;
}

double middle(std::span<const double> ns) {
  return stats::middle_of(std::vector<double>(ns.begin(), ns.end()));
}

double share_above(std::span<const double> ns, double limit) {
  const auto above = std::count_if(ns.begin(), ns.end(), [&](double x) { return x > limit; });
  return static_cast<double>(above) / static_cast<double>(ns.size());
}

}  // namespace

std::optional<FullQueue> find_full_queue(std::span<const double> ns) {
  if (ns.size() < 1 + kFewestAfter) return {};
  std::size_t split = best_split(ns);
  const double free = middle(ns.first(split)), full = middle(ns.subspan(split));
  if (free <= 0 || full < kStep * free) return {};
  const double between = std::sqrt(free * full);
  if (share_above(ns.subspan(split), between) < kOnItsSide || share_above(ns.first(split), between) > 1 - kOnItsSide)
    return {};
  if (split > 1 && ns[split - 1] > free + kBlocked * (full - free)) --split;
  const double until = std::accumulate(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(split), 0.0);
  // The device has done this many meanwhile.
  const double in_flight = std::max(0.0, static_cast<double>(split) - until / full);
  return FullQueue{.after = split, .in_flight = in_flight, .free_ns = free, .full_ns = full};
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "report/pictures/buckets.h"

#include <algorithm>

namespace strobe::page {
namespace {

constexpr double kGap = 4;  // usual steps

double weighted_median(std::vector<CurveBucket> group) {
  std::sort(group.begin(), group.end(), [](const auto& a, const auto& b) { return a.median < b.median; });
  std::uint64_t all = 0, below = 0;
  for (const CurveBucket& b : group) all += b.n;
  for (const CurveBucket& b : group) {
    below += b.n;
    if (2 * below >= all) return b.median;
  }
  return group.back().median;
}

CurveBucket together(std::span<const CurveBucket> group) {
  CurveBucket whole = group.front();
  for (const CurveBucket& b : group.subspan(1)) {
    whole.low = std::min(whole.low, b.low);
    whole.high = std::max(whole.high, b.high);
    whole.n += b.n;
  }
  whole.median = weighted_median({group.begin(), group.end()});
  return whole;
}

}  // namespace

std::vector<CurveBucket> merged(const std::vector<CurveBucket>& curve, std::size_t most) {
  const std::size_t each = (curve.size() + most - 1) / most;
  if (each <= 1) return curve;
  std::vector<CurveBucket> out;
  for (std::size_t i = 0; i < curve.size(); i += each)
    out.push_back(together(std::span(curve).subspan(i, std::min(each, curve.size() - i))));
  return out;
}

std::vector<std::span<const CurveBucket>> stretches(std::span<const CurveBucket> curve) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < curve.size(); ++i) steps.push_back(curve[i].at_seconds - curve[i - 1].at_seconds);
  if (steps.empty()) return {curve};
  std::vector<double> sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
  const double gap = kGap * sorted[sorted.size() / 2];
  std::vector<std::span<const CurveBucket>> parts;
  std::size_t from = 0;
  for (std::size_t i = 1; i <= curve.size(); ++i) {
    if (i < curve.size() && steps[i - 1] <= gap) continue;
    parts.push_back(curve.subspan(from, i - from));
    from = i;
  }
  return parts;
}

Histogram merged(const Histogram& h, std::size_t most) {
  const std::size_t each = (h.counts.size() + most - 1) / most;
  if (each <= 1) return h;
  Histogram out{.edges = {h.edges.front()}, .counts = {}};
  for (std::size_t i = 0; i < h.counts.size(); i += each) {
    const std::size_t to = std::min(i + each, h.counts.size());
    std::uint64_t n = 0;
    for (std::size_t k = i; k < to; ++k) n += h.counts[k];
    out.counts.push_back(n);
    out.edges.push_back(h.edges[to]);
  }
  return out;
}

}  // namespace strobe::page

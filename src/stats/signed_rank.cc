// SPDX-License-Identifier: Apache-2.0
#include "stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/batches.h"
#include "stats/distributions.h"
#include "stats/mean.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kExactRanksBelow = 20;
constexpr std::size_t kMostDifferences = 2000;

// Probability of each value of the signed-rank statistic: every rank is in the sum or not, with equal chance.
std::vector<double> rank_sums(std::size_t count) {
  std::vector<double> p{1};
  for (std::size_t rank = 1; rank <= count; ++rank) {
    std::vector<double> next(p.size() + rank);
    for (std::size_t i = 0; i < p.size(); ++i) {
      next[i] += p[i] / 2;
      next[i + rank] += p[i] / 2;
    }
    p = std::move(next);
  }
  return p;
}

// Mean and standard deviation of the statistic.
struct Moments {
  double mean;
  double sd;
};

Moments moments(std::size_t count) {
  const auto k = static_cast<double>(count);
  return {k * (k + 1) / 4, std::sqrt(k * (k + 1) * (2 * k + 1) / 24)};
}

// Probability that the statistic is at most `sum`.
double rank_sum_cdf(std::size_t count, std::size_t sum) {
  if (count >= kExactRanksBelow) {
    const auto [mean, sd] = moments(count);
    return normal_cdf((static_cast<double>(sum) - mean) / sd);
  }
  const std::vector<double> p = rank_sums(count);
  const auto end = std::min(sum + 1, p.size());
  return std::accumulate(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
}

std::vector<double> thinned(std::span<const double> differences) {
  if (differences.size() <= kMostDifferences) return {differences.begin(), differences.end()};
  std::vector<double> out;
  for (const Range& r : even_parts(differences.size(), kMostDifferences))
    out.push_back(mean(differences.subspan(r.begin, r.size())));
  return out;
}

}  // namespace

std::vector<double> walsh_averages(std::span<const double> differences) {
  const std::vector<double> d = thinned(differences);
  std::vector<double> out;
  out.reserve(d.size() * (d.size() + 1) / 2);
  for (std::size_t i = 0; i < d.size(); ++i)
    for (std::size_t j = i; j < d.size(); ++j) out.push_back((d[i] + d[j]) / 2);
  std::sort(out.begin(), out.end());
  return out;
}

std::ptrdiff_t signed_rank_critical(std::size_t count, double tail_probability) {
  if (count >= kExactRanksBelow) {
    const auto [mean, sd] = moments(count);
    return static_cast<std::ptrdiff_t>(std::floor(mean - normal_quantile(1 - tail_probability) * sd));
  }
  double below = 0;
  std::ptrdiff_t c = -1;
  for (const double p : rank_sums(count)) {
    below += p;
    if (below > tail_probability) break;
    ++c;
  }
  return c;
}

std::size_t against_difference(std::span<const double> sorted) {
  const auto positive = sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), 0.0);
  const auto negative = std::lower_bound(sorted.begin(), sorted.end(), 0.0) - sorted.begin();
  return sorted.size() - static_cast<std::size_t>(std::max(positive, negative));
}

double signed_rank_p(std::span<const double> differences) {
  const std::vector<double> walsh = walsh_averages(differences);
  return std::min(1.0, 2 * rank_sum_cdf(std::min(differences.size(), kMostDifferences), against_difference(walsh)));
}

Estimate hodges_lehmann(std::span<const double> differences, Confidence c) {
  const std::vector<double> walsh = walsh_averages(differences);
  Estimate e{.value = median(walsh)};
  const std::ptrdiff_t rank = signed_rank_critical(std::min(differences.size(), kMostDifferences), tail(c));
  const auto outer = static_cast<std::size_t>(std::max<std::ptrdiff_t>(rank, 0));
  if (rank < 0 || 2 * outer >= walsh.size()) return e;
  e.low = walsh[outer];
  e.high = walsh[walsh.size() - 1 - outer];
  return e;
}

}  // namespace strobe::stats

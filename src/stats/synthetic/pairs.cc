// SPDX-License-Identifier: Apache-2.0
#include "stats/synthetic/pairs.h"

#include <cmath>

#include "base/random.h"

namespace strobe::stats {
namespace {

// Student's t with 2 degrees of freedom: chi-squared over its 2 degrees is an exponential.
double heavy(Random& random) {
  const double z = random.normal();
  return z / std::sqrt(-std::log(1 - random.uniform()));
}

double log_of_launch(const SyntheticPairs& p, Random& random) {
  const LaunchEffect& e = p.effect;
  double y = p.within * random.normal();
  y += e.scatter * (e.heavy_tail ? heavy(random) : random.normal());
  if (random.uniform() < e.level_share) y += std::log(e.level_factor);
  return y;
}

}  // namespace

std::vector<double> simulate_pairs(const SyntheticPairs& p, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> y;
  for (std::size_t i = 0; i < p.pairs; ++i) {
    const double a = log_of_launch(p, random);
    y.push_back(std::log1p(p.change) + log_of_launch(p, random) - a);
  }
  return y;
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "stats/synthetic/rounds.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr std::uint64_t kOwnDraws = 0x9e3779b97f4a7c15;  // keeps order and placement apart from the noise of a seed

constexpr double kTwoSides = 1.4142135623730951;  // the difference of two placements varies so much more than one

// A tenth of the whole turn, so a ninth of what is kept.
std::size_t dropped(std::size_t kept) {
  return std::max<std::size_t>(2, (kept + 8) / 9);
}

}  // namespace

std::vector<double> simulate_rounds(const SyntheticRounds& t, std::uint64_t seed) {
  const std::size_t turn = dropped(t.samples) + t.samples;
  const auto wall = with_drift(simulate(t.noise, 2 * t.rounds * turn, seed), t.drift);
  const auto log_median = [&](std::size_t number) {
    return std::log(median_of(std::span(wall).subspan(number * turn + turn - t.samples, t.samples)));
  };
  const std::size_t rounds_a_load = std::max<std::size_t>(1, t.rounds / std::max<std::size_t>(1, t.loads));
  Random random(seed ^ kOwnDraws);
  bool a_first = true;
  double offset = 0;
  std::vector<double> out;
  for (std::size_t round = 0; round < t.rounds; ++round) {
    a_first = round % 2 == 0 ? random.uniform() < 0.5 : !a_first;
    if (round % rounds_a_load == 0) offset = kTwoSides * t.placement * random.normal();
    const double second_less_first = log_median(2 * round + 1) - log_median(2 * round);
    out.push_back(std::log1p(t.change) + offset + (a_first ? second_less_first : -second_less_first));
  }
  return out;
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "stats/pass_coupling.h"

#include <array>
#include <cmath>

#include "stats/batches.h"
#include "stats/signed_rank.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kFewestForCoupling = 4;
constexpr double kSmallestEffect = 0.01;

}  // namespace

std::vector<double> half_ratios(const Series& s) {
  std::vector<double> out;
  if (s.round.size() != s.values.size()) return out;
  for (const Range& r : rounds(s.round)) {
    if (r.size() < kFewestForCoupling) continue;
    const std::size_t middle = r.begin + r.size() / 2;
    const std::array<Range, 2> halves{{{r.begin, middle}, {middle, r.end}}};
    const std::vector<double> logs = log_medians(s.values, halves, s.tick / 2);
    out.push_back(logs[0] - logs[1]);
  }
  return out;
}

PassCoupling pass_coupling(const Series& s) {
  PassCoupling p{.effect = hodges_lehmann(half_ratios(s), Confidence{0.99})};
  const bool excludes_zero = bounded(p.effect) && (*p.effect.low > 0 || *p.effect.high < 0);
  p.coupled = excludes_zero && std::abs(p.effect.value) > kSmallestEffect;
  return p;
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "stats/welch.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"
#include "stats/mean.h"

namespace strobe::stats {

Welch welch(std::span<const double> a, std::span<const double> b) {
  const auto na = static_cast<double>(a.size());
  const auto nb = static_cast<double>(b.size());
  const double va = stddev(a) * stddev(a) / na;
  const double vb = stddev(b) * stddev(b) / nb;
  const double v = va + vb;
  return {.difference = mean(b) - mean(a),
          .error = std::sqrt(v),
          .degrees = v > 0 ? v * v / (va * va / (na - 1) + vb * vb / (nb - 1)) : na + nb - 2,
          .pairs = std::min(na, nb)};
}

Estimate interval(const Welch& w, Confidence c) {
  const double half = student_t_quantile(1 - tail(c), w.degrees) * w.error;
  return {.value = w.difference, .low = w.difference - half, .high = w.difference + half};
}

double p_value(const Welch& w) {
  if (w.error > 0) return 2 * student_t_cdf(-std::abs(w.difference) / w.error, w.degrees);
  return w.difference == 0 ? 1 : 0;
}

Welch with_pairs(const Welch& w, double pairs) {
  return {.difference = w.difference,
          .error = w.error * std::sqrt(w.pairs / pairs),
          .degrees = w.degrees * (pairs - 1) / (w.pairs - 1),
          .pairs = pairs};
}

}  // namespace strobe::stats

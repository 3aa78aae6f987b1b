// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/disturbance.h"

#include <cmath>

namespace strobe {

bool Disturbance::in_state(bool& state, double share, double dwell) {
  if (share <= 0) return false;
  if (share >= 1) return state = true;
  const double leave = 1 / std::max(1.0, dwell);
  const double enter = std::min(1.0, leave * share / (1 - share));
  if (request_ == 0) return state = random_.uniform() < share;
  if (random_.uniform() < (state ? leave : enter)) state = !state;
  return state;
}

Disturbance::Factors Disturbance::next(nanoseconds now) {
  double f = 1;
  if (p_.warm_requests > 0) f *= 1 + (p_.warm - 1) * std::exp(-static_cast<double>(request_) / p_.warm_requests);
  if (p_.noise > 0) {
    const double e = random_.normal();
    noise_ = request_ == 0 ? e : p_.ar * noise_ + std::sqrt(1 - p_.ar * p_.ar) * e;
    f *= std::exp(p_.noise * noise_);
  }
  if (p_.outlier_share > 0 && random_.uniform() < p_.outlier_share) f *= p_.outlier_factor;
  if (in_state(burst_, p_.burst_share, p_.burst_length)) f *= p_.burst_factor;
  if (in_state(mode_, p_.mode_share, p_.mode_dwell)) f *= p_.mode_factor;
  f *= std::max(0.01, 1 + p_.drift * to_seconds(now));
  if (p_.shift_at && now >= *p_.shift_at) f *= p_.shift_factor;
  const double device = p_.throttle_at && now >= *p_.throttle_at ? 1 / p_.throttle : 1;
  ++request_;
  return {f, f * device};
}

}  // namespace strobe

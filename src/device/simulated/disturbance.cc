// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/disturbance.h"

#include <cmath>

namespace strobe {
namespace {

constexpr std::uint64_t kOfLaunch = 1, kOfLoad = 2;  // streams of random numbers, beside that of the requests

// The first launch's requests see the seed that was given.
std::uint64_t request_seed(const SimParameters& p) {
  const std::uint64_t seed = p.seed.value_or(1);
  return p.launch == 0 && p.load == 0 ? seed : seed_of(seed_of(seed, p.launch), p.load);
}

double drawn(const SimEffect& effect, std::uint64_t seed) {
  Random random(seed);
  double factor = 1;
  if (effect.noise > 0) factor *= std::exp(effect.noise * random.normal());
  if (random.uniform() < effect.level_share) factor *= effect.level_factor;
  return factor;
}

double lasting_factor(const SimParameters& p) {
  const std::uint64_t launch = seed_of(p.seed.value_or(1), p.launch);
  return drawn(p.of_launch, seed_of(launch, kOfLaunch)) * drawn(p.of_load, seed_of(seed_of(launch, p.load), kOfLoad));
}

}  // namespace

Disturbance::Disturbance(const SimParameters& p) : p_(p), random_(request_seed(p)), lasting_(lasting_factor(p)) {}

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
  double f = lasting_;
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

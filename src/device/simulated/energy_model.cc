// SPDX-License-Identifier: Apache-2.0
#include "device/simulated/energy_model.h"

#include <algorithm>

#include "base/random.h"

namespace strobe {
namespace {

constexpr std::uint64_t kOfEnergy = 4;  // random numbers beside those of streams (simulated_device.cc)

}  // namespace

EnergyModel::EnergyModel(const SimParameters& p) : idle_(p.idle_power), active_(p.active_power), step_(p.energy_step) {
  Random random(seed_of(seed_of(p.seed.value_or(1), p.launch), kOfEnergy));
  phase_ = to_nanoseconds(random.uniform() * to_double(step_));
}

// The counter shows the moment of its last step; before its first it shows the beginning.
nanoseconds EnergyModel::last_step(nanoseconds now) const {
  if (step_ == 0ns) return now;
  return now < phase_ ? 0ns : phase_ + (now - phase_) / step_ * step_;
}

void EnergyModel::forget_before(nanoseconds step) {
  while (!work_.empty() && work_.front().end <= step) {
    worked_ += work_.front().end - work_.front().begin;
    work_.pop_front();
  }
}

void EnergyModel::add_work(nanoseconds begin, nanoseconds end, nanoseconds now) {
  if (!counts()) return;
  work_.push_back({begin, end});
  forget_before(last_step(now));
}

double EnergyModel::joules(nanoseconds now) {
  const nanoseconds step = last_step(now);
  forget_before(step);
  nanoseconds worked = worked_;
  for (const Work& w : work_) worked += std::max(0ns, std::min(w.end, step) - w.begin);
  return idle_ * to_seconds(step) + active_ * to_seconds(worked);
}

}  // namespace strobe

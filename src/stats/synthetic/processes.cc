// SPDX-License-Identifier: Apache-2.0
#include "stats/synthetic/processes.h"

#include <array>
#include <cmath>

#include "base/random.h"
#include "stats/distributions.h"

namespace strobe::stats {
namespace {

constexpr double kBurstHeight = 0.5;
constexpr double kOutlierLow = 0.2;
constexpr double kOutlierHigh = 2.0;

constexpr std::array kAll{kWhite,    kAr50,         kAr80,         kAr95,   kAr98,
                          kOutliers, kFastBistable, kSlowBistable, kBursts, kSpikes};

// On with probability `share`, in stays of mean length `on_length`: a Markov chain, started in its stationary state.
class Switch {
 public:
  Switch(double share, double on_length, Random& random) : random_(random) {
    if (!(share > 0)) return;
    leave_on_ = 1 / on_length;
    leave_off_ = leave_on_ * share / (1 - share);
    on_ = random_.uniform() < share;
  }
  bool next() {
    if (leave_on_ > 0 && random_.uniform() < (on_ ? leave_on_ : leave_off_)) on_ = !on_;
    return on_;
  }

 private:
  Random& random_;
  double leave_on_ = 0;
  double leave_off_ = 0;
  bool on_ = false;
};

double slow_share(const Process& p) {
  return p.gap > 0 ? p.dwell_slow / (p.dwell_fast + p.dwell_slow) : 0;
}

// A normal distribution of ln x, shifted, with a weight.
struct Component {
  double weight;
  double shift;
};

std::vector<Component> split(std::span<const Component> parts, double share, double shift) {
  std::vector<Component> out;
  for (const Component& c : parts) {
    out.push_back({c.weight * (1 - share), c.shift});
    out.push_back({c.weight * share, c.shift + shift});
  }
  return out;
}

std::vector<Component> components(const Process& p) {
  std::vector<Component> parts{{1, 0}};
  if (p.gap > 0) parts = split(parts, slow_share(p), p.gap);
  if (p.burst_share > 0) parts = split(parts, p.burst_share, std::log1p(kBurstHeight));
  if (p.spike_every > 0) parts = split(parts, 1 / static_cast<double>(p.spike_every), std::log1p(kBurstHeight));
  if (p.outlier_share > 0) {
    constexpr int kSteps = 200;  // the uniform outlier height, as narrow slices
    const std::vector<Component> before = parts;
    for (Component& c : parts) c.weight *= 1 - p.outlier_share;
    for (int i = 0; i < kSteps; ++i) {
      const double height = kOutlierLow + (kOutlierHigh - kOutlierLow) * (i + 0.5) / kSteps;
      for (const Component& c : before)
        parts.push_back({c.weight * p.outlier_share / kSteps, c.shift + std::log1p(height)});
    }
  }
  return parts;
}

}  // namespace

std::span<const Process> processes() {
  return kAll;
}

std::vector<double> simulate(const Process& p, std::size_t n, std::uint64_t seed) {
  Random random(seed);
  Switch slow(slow_share(p), p.dwell_slow, random);
  Switch burst(p.burst_share, p.burst_length, random);
  const double innovation = p.sd * std::sqrt(1 - p.rho * p.rho);
  double ar = p.sd * random.normal();
  std::vector<double> out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    double x = std::exp(ar + (slow.next() ? p.gap : 0));
    if (burst.next()) x *= 1 + kBurstHeight;
    if (p.outlier_share > 0 && random.uniform() < p.outlier_share)
      x *= 1 + kOutlierLow + (kOutlierHigh - kOutlierLow) * random.uniform();
    if (p.spike_every > 0 && i % p.spike_every == p.spike_every - 1) x *= 1 + kBurstHeight;
    out.push_back(x);
    ar = p.rho * ar + innovation * random.normal();
  }
  return out;
}

double true_quantile(const Process& process, double p) {
  const std::vector<Component> parts = components(process);
  double low = -1;
  double high = 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    double below = 0;
    for (const Component& c : parts) below += c.weight * normal_cdf((middle - c.shift) / process.sd);
    (below < p ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

std::vector<double> with_step(std::vector<double> x, double height, std::size_t length) {
  for (std::size_t i = 0; i < x.size() && i < length; ++i) x[i] *= 1 + height;
  return x;
}

std::vector<double> with_ramp(std::vector<double> x, double height, std::size_t length) {
  for (std::size_t i = 0; i < x.size() && i < length; ++i)
    x[i] *= 1 + height * (1 - static_cast<double>(i) / static_cast<double>(length));
  return x;
}

std::vector<double> with_decay(std::vector<double> x, double height, double tau) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1 + height * std::exp(-static_cast<double>(i) / tau);
  return x;
}

std::vector<double> with_drift(std::vector<double> x, double change) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] *= 1 + change * static_cast<double>(i) / static_cast<double>(x.size());
  return x;
}

std::vector<double> with_late_step(std::vector<double> x, double height, std::size_t at) {
  for (std::size_t i = at; i < x.size(); ++i) x[i] *= 1 + height;
  return x;
}

std::vector<double> with_tick(std::vector<double> x, double tick) {
  for (double& v : x) v = std::round(v / tick) * tick;
  return x;
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "stats/next_launch.h"

#include <algorithm>
#include <cmath>

#include "stats/distributions.h"
#include "stats/quantile.h"

namespace strobe::stats {
namespace {

constexpr double kLevelGap = 0.01;      // levels nearer than this are one
constexpr double kGapOverSpread = 4;    // nor is a gap a gap that the spread inside the groups explains
constexpr std::size_t kMostLevels = 3;  // more groups than that are a scatter
constexpr double kTrendSignificance = 0.01;

struct SampleMoments {
  double mean = 0, squares = 0;  // the sum of squared deviations
};

SampleMoments moments_of(std::span<const double> values) {
  SampleMoments m;
  for (const double y : values) m.mean += y / static_cast<double>(values.size());
  for (const double y : values) m.squares += (y - m.mean) * (y - m.mean);
  return m;
}

std::vector<double> logs_of(std::span<const double> values) {
  std::vector<double> logs;
  for (const double x : values) logs.push_back(std::log(x));
  return logs;
}

bool has_zero(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return x <= 0; });
}

// Student's half width of a prediction from the mean of k values; the squared deviations have so many degrees of
// freedom.
double prediction_half(double squares, double degrees, double k) {
  return student_t_quantile(0.975, degrees) * std::sqrt(squares / degrees * (1 + 1 / k));
}

double floor_with(double within) {
  return std::max(within, kLaunchFloor);
}

// The median of launches, and the union of a prediction on the scale of logarithms, every launch, and the floor.
Estimate held(std::span<const double> launches, double mean, double half, double floor) {
  const auto [least, most] = std::minmax_element(launches.begin(), launches.end());
  Estimate e{.value = median_of(launches)};
  e.low = std::min({std::exp(mean - half), *least, e.value * std::exp(-floor)});
  e.high = std::max({std::exp(mean + half), *most, e.value * std::exp(floor)});
  return e;
}

double widest_side(const Estimate& e) {
  return std::max(e.value - *e.low, *e.high - e.value) / e.value;
}

// The sorted logarithms, cut at their widest gaps.
class Groups {
 public:
  Groups(std::span<const double> sorted, std::size_t count) : sorted_(sorted) {
    for (std::size_t i = 1; i < sorted.size(); ++i) starts_.push_back(i);
    std::sort(starts_.begin(), starts_.end(), [&](std::size_t a, std::size_t b) { return gap(a) > gap(b); });
    starts_.resize(count - 1);
    std::sort(starts_.begin(), starts_.end());
  }

  std::vector<std::span<const double>> parts() const {
    std::vector<std::span<const double>> all;
    std::size_t from = 0;
    for (const std::size_t start : starts_) {
      all.push_back(sorted_.subspan(from, start - from));
      from = start;
    }
    all.push_back(sorted_.subspan(from));
    return all;
  }

  bool apart() const {
    const auto degrees = static_cast<double>(sorted_.size() - starts_.size() - 1);
    double squares = 0;
    for (const auto part : parts()) {
      if (part.size() < 2) return false;
      squares += moments_of(part).squares;
    }
    const double least = std::max(std::log1p(kLevelGap), kGapOverSpread * std::sqrt(squares / degrees));
    return std::all_of(starts_.begin(), starts_.end(), [&](std::size_t start) { return gap(start) > least; });
  }

 private:
  double gap(std::size_t start) const { return sorted_[start] - sorted_[start - 1]; }

  std::span<const double> sorted_;
  std::vector<std::size_t> starts_;
};

}  // namespace

double relative_spread(std::span<const double> values) {
  const auto degrees = static_cast<double>(values.size() - 1);
  if (!has_zero(values)) return std::sqrt(moments_of(logs_of(values)).squares / degrees);
  const SampleMoments m = moments_of(values);
  return m.mean > 0 ? std::sqrt(m.squares / degrees) / m.mean : 0;
}

Estimate predict_next_launch(std::span<const double> launches, double within) {
  Estimate e{.value = launches.empty() ? 0 : median_of(launches)};
  if (launches.size() < 2) return e;
  const auto k = static_cast<double>(launches.size());
  const double floor = floor_with(within);
  if (!has_zero(launches)) {
    const SampleMoments m = moments_of(logs_of(launches));
    return held(launches, m.mean, prediction_half(m.squares, k - 1, k), floor);
  }
  const auto [least, most] = std::minmax_element(launches.begin(), launches.end());
  const SampleMoments m = moments_of(launches);
  const double half = prediction_half(m.squares, k - 1, k);
  e.low = std::max(0.0, std::min({m.mean - half, *least, e.value * (1 - floor)}));
  e.high = std::max({m.mean + half, *most, e.value * (1 + floor)});
  return e;
}

std::vector<LaunchLevel> launch_levels(std::span<const double> launches) {
  if (has_zero(launches)) return {};
  std::vector<double> sorted = logs_of(launches);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t count = kMostLevels; count > 1; --count) {
    if (sorted.size() < 2 * count) continue;
    const Groups groups(sorted, count);
    if (!groups.apart()) continue;
    std::vector<LaunchLevel> levels;
    for (const auto part : groups.parts()) levels.push_back({std::exp(median_of(part)), part.size()});
    return levels;
  }
  return {};
}

std::optional<KnownLevels> predict_by_level(std::span<const double> launches, const std::vector<bool>& second,
                                            double within) {
  std::vector<double> part[2];
  for (std::size_t i = 0; i < launches.size(); ++i) part[second[i]].push_back(launches[i]);
  if (launches.size() < 3 || part[0].empty() || part[1].empty() || has_zero(launches)) return std::nullopt;
  const SampleMoments a = moments_of(logs_of(part[0])), b = moments_of(logs_of(part[1]));
  const auto firsts = static_cast<double>(part[0].size()), seconds = static_cast<double>(part[1].size());
  const double squares = a.squares + b.squares, degrees = firsts + seconds - 2;
  const double scatter = std::sqrt(squares / degrees * (1 / firsts + 1 / seconds));
  if (std::fabs(b.mean - a.mean) < std::max(kLaunchFloor, 3 * scatter)) return std::nullopt;
  const double floor = floor_with(within);
  const Estimate first = held(part[0], a.mean, prediction_half(squares, degrees, firsts), floor),
                 other = held(part[1], b.mean, prediction_half(squares, degrees, seconds), floor);
  KnownLevels known{.estimate = first,
                    .half_width = std::max(widest_side(first), widest_side(other)),
                    .first = first.value,
                    .second = other.value,
                    .firsts = part[0].size(),
                    .seconds = part[1].size()};
  known.estimate.low = std::min(*first.low, *other.low);
  known.estimate.high = std::max(*first.high, *other.high);
  return known;
}

std::optional<double> launch_trend(std::span<const double> launches) {
  if (launches.size() < 4 || has_zero(launches)) return std::nullopt;
  const std::vector<double> logs = logs_of(launches);
  const auto k = static_cast<double>(logs.size());
  const SampleMoments m = moments_of(logs);
  double across = 0, along = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double at = static_cast<double>(i) - (k - 1) / 2;
    across += at * at;
    along += at * (logs[i] - m.mean);
  }
  const double slope = along / across;
  const double left = std::max(0.0, m.squares - slope * along);
  const double error = std::sqrt(left / (k - 2) / across);
  if (std::fabs(slope) <= error * student_t_quantile(1 - kTrendSignificance / 2, k - 2)) return std::nullopt;
  return std::expm1(slope);
}

}  // namespace strobe::stats

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

// Student's half width of a prediction, from k values.
double prediction_half(const SampleMoments& m, double k) {
  return student_t_quantile(0.975, k - 1) * std::sqrt(m.squares / (k - 1) * (1 + 1 / k));
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
  const auto [least, most] = std::minmax_element(launches.begin(), launches.end());
  const double floor = std::max(within, kLaunchFloor);
  if (has_zero(launches)) {
    const SampleMoments m = moments_of(launches);
    const double half = prediction_half(m, k);
    e.low = std::max(0.0, std::min({m.mean - half, *least, e.value * (1 - floor)}));
    e.high = std::max({m.mean + half, *most, e.value * (1 + floor)});
    return e;
  }
  const SampleMoments m = moments_of(logs_of(launches));
  const double half = prediction_half(m, k);
  e.low = std::min({std::exp(m.mean - half), *least, e.value * std::exp(-floor)});
  e.high = std::max({std::exp(m.mean + half), *most, e.value * std::exp(floor)});
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
  const double spread = std::sqrt((a.squares + b.squares) / static_cast<double>(launches.size() - 2));
  const double between = b.mean - a.mean;
  const double scatter =
      spread * std::sqrt(1.0 / static_cast<double>(part[0].size()) + 1.0 / static_cast<double>(part[1].size()));
  if (std::fabs(between) < std::max(kLaunchFloor, 3 * scatter)) return std::nullopt;
  std::vector<double> alike = part[0];
  for (const double x : part[1]) alike.push_back(x * std::exp(-between));
  const Estimate left = predict_next_launch(alike, within);
  KnownLevels known{.estimate = {},
                    .half_width = std::max(left.value - *left.low, *left.high - left.value) / left.value,
                    .first = median_of(part[0]),
                    .second = median_of(part[1]),
                    .firsts = part[0].size(),
                    .seconds = part[1].size()};
  known.estimate.value = known.first;
  known.estimate.low = std::min(known.first, known.second) * (1 - known.half_width);
  known.estimate.high = std::max(known.first, known.second) * (1 + known.half_width);
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

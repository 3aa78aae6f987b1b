// SPDX-License-Identifier: Apache-2.0
#include "stats/launch_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace strobe::stats {
namespace {

// Of the variances that each launch has; nothing where one of them has none.
std::optional<double> mean_square(std::span<const WithinLaunch> launches, std::optional<double> WithinLaunch::* part) {
  double sum = 0;
  for (const WithinLaunch& launch : launches) {
    const auto& error = launch.*part;
    if (!error) return std::nullopt;
    sum += *error * *error;
  }
  return launches.empty() ? std::nullopt : std::optional(sum / static_cast<double>(launches.size()));
}

// By chance the whole may look smaller than a part of it.
double rest(double whole, double part) {
  return std::sqrt(std::max(0.0, whole - part));
}

}  // namespace

double error_of_median(double deviation, double n) {
  return deviation * std::sqrt(std::numbers::pi / 2 / n);
}

LaunchParts launch_parts(std::span<const WithinLaunch> launches, double spread) {
  const auto requests = mean_square(launches, &WithinLaunch::requests), all = mean_square(launches, &WithinLaunch::all);
  LaunchParts parts;
  if (requests) parts.requests = std::sqrt(*requests);
  if (all) parts.rounds = rest(*all, requests.value_or(0));
  parts.launches = rest(spread * spread, std::max(requests.value_or(0), all.value_or(0)));
  return parts;
}

}  // namespace strobe::stats

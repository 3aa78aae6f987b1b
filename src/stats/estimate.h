// SPDX-License-Identifier: Apache-2.0
// A figure with the interval it is believed to lie in, and how firmly. An unset side is unbounded: the samples do not
// limit the figure there, and no substitute (the maximum, say) is put in its place. Intervals need not be symmetric.
#pragma once

#include <optional>

namespace strobe::stats {

struct Confidence {
  double level = 0.95;
};

struct Estimate {
  double value = 0;
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
};

// Probability left out on each side of a two-sided interval.
double tail(Confidence c);

bool bounded(const Estimate& e);

// (high - low) / (2 value): what a stopping rule compares with its margin. Never below half a timer tick, because an
// interval narrower than the clock can tell apart says nothing. Empty when a side is unbounded or the value is not
// positive.
std::optional<double> relative_half_width(const Estimate& e, double tick = 0);

}  // namespace strobe::stats

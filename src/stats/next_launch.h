// SPDX-License-Identifier: Apache-2.0
// What the next launch will read. A launch is a fresh process with a fresh load; whatever it measures within, it is one
// observation, because where memory, streams and threads come to lie is drawn once a launch. The interval is therefore
// one of prediction, not of a mean: the next launch's figure lies inside in 95 % of cases.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.h"

namespace strobe::stats {

// No launch is known better than this, however narrow its own interval is: relative.
inline constexpr double kLaunchFloor = 0.0025;

// The value is the median of launches. On the scale of logarithms the interval is the union of three: Student's
// prediction from the launches' mean and spread, every launch that was seen, and the value ± the larger of `within` and
// kLaunchFloor. `within` is the widest relative half width of a launch's own interval or half a tick. A value of 0, as
// a wait may have, has no logarithm: with one of them the values themselves are predicted, from 0 on. None is negative.
// One launch has no interval.
Estimate predict_next_launch(std::span<const double> launches, double within = 0);

// The standard deviation of the logarithms; with a 0 among them that of the values, relative to their mean. At least
// two.
double relative_spread(std::span<const double> values);

struct LaunchLevel {
  double value = 0;          // the median of its launches
  std::size_t launches = 0;  // that are on it
};

// Where launches fall into groups of two or more: by rising value; empty where they do not. A gap between groups is
// over 1 % and over four times the spread inside them. One launch apart from the rest may be a level or an accident.
// Values with a 0 among them have no levels here, and no trend.
std::vector<LaunchLevel> launch_levels(std::span<const double> launches);

// Launches on two levels whose cause is known beforehand: what is left between them once the level is.
struct KnownLevels {
  Estimate estimate;                    // the median launch of the first level; its interval holds both levels
  double half_width = 0;                // of the wider of the two, relative
  double first = 0, second = 0;         // the median of each
  std::size_t firsts = 0, seconds = 0;  // launches
};

// `second`: of each launch, is it on the second level? Each level has an interval as above, with the scatter that both
// have about their means; together they hold the next launch on either, and every launch that was seen. Nothing where a
// level has no launch, or the two do not differ by more than their scatter and 0.25 %.
std::optional<KnownLevels> predict_by_level(std::span<const double> launches, const std::vector<bool>& second,
                                            double within = 0);

// The change per launch of a straight line through the logarithms, where its t test finds one at the 1 % level: a
// device that heats or a machine that fills.
std::optional<double> launch_trend(std::span<const double> launches);

}  // namespace strobe::stats

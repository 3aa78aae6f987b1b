// SPDX-License-Identifier: Apache-2.0
// What the number of a launch owes to its requests, to its rounds and to the launch: which of them is worth reducing.
// Requests vary within a round, rounds within a launch, launches within a study; each level averages over those below
// it, so what is seen to vary at one level contains a rest of those, which is taken off here.
#pragma once

#include <optional>
#include <span>

namespace strobe::stats {

// The standard error of a median of `n` normal values with this standard deviation.
double error_of_median(double deviation, double n);

// Standard errors of one launch's number, relative: from its requests alone, were they independent, and from all that
// varies within the launch. Nothing where one is unknown.
struct WithinLaunch {
  std::optional<double> requests, all;
};

// Standard deviations of the next launch's number, relative; their squares add up to what launches are seen to vary, or
// to what varies within each, whichever is more. What is unknown of launches is in the next part that is known.
struct LaunchParts {
  std::optional<double> requests, rounds;
  double launches = 0;
};

// `spread`: the standard deviation of the launches' numbers, relative.
LaunchParts launch_parts(std::span<const WithinLaunch>, double spread);

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
// Where the uncertainty of a number comes from, over several launches: what each source alone would move the number of
// the next launch by. Text and page show these numbers; how they are parted is in stats/launch_parts.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

struct UncertaintySource {
  std::string_view name;  // requests, rounds, launches
  double deviation = 0;   // standard deviation of the next launch's number, relative
  double share = 0;       // of the variance of all sources together
};

// From the requests up; empty of a metric that was not measured in several launches. A rate has no requests of its own:
// its rounds are whole stretches of them.
std::vector<UncertaintySource> uncertainty_sources(std::string_view metric, const Record&);

// The one that makes most of it; null where none makes half.
const UncertaintySource* main_source(const std::vector<UncertaintySource>&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// From windows to joules per request, items per joule and watts, each with an interval.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "measure/energy.h"

namespace strobe {

// One window, as a number that is compared with those of others.
struct EnergyValue {
  double joules = 0, requests = 0, seconds = 0;
};

// A ratio of sums over windows. Half of the interval is Student's for the windows' own ratios and, beside it, how far
// all of them may be off alike because of where they begin and end. Below two windows it is unbounded.
Estimate energy_ratio(const std::vector<EnergyValue>&, double EnergyValue::* over, double error);

// Fills the metrics and the part of the record that says where they come from.
void add_energy(const EnergySamples&, std::size_t items, Record&);

}  // namespace strobe

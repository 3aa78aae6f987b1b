// SPDX-License-Identifier: Apache-2.0
// Where figures of energy come from, over several launches. The figures themselves are metrics, and merged as such.
#pragma once

#include <vector>

#include <strobe/record.h>

namespace strobe {

// The windows of all of them in order; what is idle is their mean, an error the largest.
EnergyAnswer merge_energy(const std::vector<Record>& launches);

}  // namespace strobe

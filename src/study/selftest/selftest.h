// SPDX-License-Identifier: Apache-2.0
// `strobe selftest`: what strobe itself gets right, on a simulated device that knows the truth. Readings against closed
// formulas, how often intervals cover the truth and hold the next launch, false alarms, how often planted faults are
// found, and whether comparisons tell equal systems from changed ones.
#pragma once

#include <functional>

#include <strobe/measure.h>
#include <strobe/record.h>

namespace strobe {

struct SelftestOptions {
  std::size_t runs = 100;  // simulated runs behind each rate
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
};

// A case for each check; `error` where it failed. The verdict is invalid when any did.
Record selftest(const SelftestOptions&);

}  // namespace strobe

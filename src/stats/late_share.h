// SPDX-License-Identifier: Apache-2.0
// Which share of a dependent series lies above a limit, with its interval: what a promise like "99 % within 10 ms" is
// decided by. Late samples come in clusters, and a series may have few of them or none: so clustering is looked for
// at lower values, too, unless the limit is out of reach. That requests switch between 1.0 and 1.3 ms says nothing of a
// limit of 10 ms. What happens so rarely that the series has none of it, nobody can know of.
#pragma once

#include <span>

#include "stats/estimate.h"

namespace strobe::stats {

// `values` in time order. Clopper-Pearson limits for as many independent samples as the series is worth.
Estimate late_share(std::span<const double> values, double limit, Confidence c = {});

}  // namespace strobe::stats

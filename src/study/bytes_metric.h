// SPDX-License-Identifier: Apache-2.0
// The metric `memory` of one launch: it was read once, so it has no interval.
#pragma once

#include <strobe/record.h>

#include "base/unit_names.h"
#include "record/estimates.h"

namespace strobe {

inline Metric bytes_metric(std::uint64_t bytes) {
  Metric m;
  m.unit = unit::bytes;
  m.n = 1;
  m.n_eff = 1;
  m.estimate = make_estimate(static_cast<double>(bytes), {}, {}, "it was read once");
  m.min = m.max = m.estimate.value;
  return m;
}

}  // namespace strobe

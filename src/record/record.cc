// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <strobe/record.h>

#include "record/metric_names.h"

namespace strobe {

std::optional<double> Estimate::relative_half_width() const {
  if (!bounded() || value == 0) return std::nullopt;
  return (*high - *low) / (2 * std::fabs(value));
}

const Metric* Record::find(std::string_view metric) const {
  const auto it = metrics.find(metric);
  return it != metrics.end() && it->second.known() ? &it->second : nullptr;
}

const Metric* Record::headline() const {
  const Metric* latency = find(metric::latency);
  return latency ? latency : find(metric::reading);
}

std::optional<double> Record::gap() const {
  const Metric* span = find(metric::span);
  const Metric* work = find(metric::device_time);
  if (!span || !work || span->estimate.value <= 0) return std::nullopt;
  return 1 - work->estimate.value / span->estimate.value;
}

}  // namespace strobe

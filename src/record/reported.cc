// SPDX-License-Identifier: Apache-2.0
#include "record/reported.h"

#include "record/metric_names.h"
#include "record/scalars.h"

namespace strobe {
namespace {

// Records of earlier versions do not say; then it was the mean where the first requests counted.
std::string_view statistic_of(const Case& c, const Metric& m) {
  const bool counts_first = !fact<bool>(c.settings, "warmup").value_or(true);
  std::string_view word = c.statistic;
  if (word.empty()) word = counts_first ? statistic::mean : statistic::median;
  return word == statistic::mean && !m.mean ? std::string_view(statistic::median) : word;
}

}  // namespace

std::optional<Reported> reported(const Case& c) {
  const auto it = c.metrics.find(metric::reading);
  if (it == c.metrics.end() || !it->second.known()) return {};
  const Metric& m = it->second;
  const std::string_view word = statistic_of(c, m);
  if (word == statistic::mean) return Reported{statistic::mean, *m.mean};
  if (word == statistic::min)
    return Reported{statistic::min, Estimate{.value = m.min, .low = {}, .high = {}, .why = {}}};
  return Reported{word == statistic::once ? statistic::once : statistic::median, m.estimate};
}

}  // namespace strobe

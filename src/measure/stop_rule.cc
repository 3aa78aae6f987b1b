// SPDX-License-Identifier: Apache-2.0
#include "measure/measurement.h"

namespace strobe {

stats::StopRule stop_rule(const Options& o) {
  stats::StopRule rule = o.effort == Effort::quick       ? stats::quick_rule()
                         : o.effort == Effort::sustained ? stats::sustained_rule()
                                                         : stats::standard_rule();
  if (o.min_time) rule.shortest_seconds = to_seconds(*o.min_time);
  if (o.max_time) rule.longest_seconds = to_seconds(*o.max_time);
  if (o.min_time && !o.max_time) rule.longest_seconds = std::max(rule.longest_seconds, rule.shortest_seconds);
  rule.shortest_seconds = std::min(rule.shortest_seconds, rule.longest_seconds);
  if (o.margin) rule.margin = *o.margin;
  rule.tails = o.percentiles;
  return rule;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/merge_idle.h"

#include <optional>

#include "record/metric_names.h"
#include "stats/middle.h"
#include "study/merge_metrics.h"

namespace strobe {
namespace {

// Of those that tell.
template <class T, class Read>
std::optional<T> middle(const std::vector<const IdleResult*>& launches, Read&& read) {
  std::vector<T> values;
  for (const IdleResult* r : launches) {
    if (const std::optional<T> x = read(*r)) values.push_back(*x);
  }
  return values.empty() ? std::nullopt : std::optional(stats::middle_of(values));
}

PowerReading power_over(const std::vector<const IdleResult*>& launches, PowerReading IdleResult::* when) {
  return {middle<double>(launches, [&](const IdleResult& r) { return (r.*when).device_mhz; }),
          middle<std::int64_t>(launches, [&](const IdleResult& r) { return (r.*when).pstate; }),
          middle<double>(launches, [&](const IdleResult& r) { return (r.*when).cpu_mhz; })};
}

// Null: this launch did not come to it.
const IdleResult* same_pause(const Record& r, std::size_t i, const IdleResult& first) {
  if (i >= r.idle.size()) return nullptr;
  const IdleResult& it = r.idle[i];
  return it.pause_ns == first.pause_ns && it.random == first.random ? &it : nullptr;
}

IdleResult merged(const std::vector<Record>& launches, std::size_t i) {
  const Metrics nothing;
  std::vector<const IdleResult*> results;
  std::vector<const Metrics*> metrics;
  for (const Record& r : launches) {
    const IdleResult* it = same_pause(r, i, launches.front().idle[i]);
    metrics.push_back(it ? &it->metrics : &nothing);
    if (it) results.push_back(it);
  }
  IdleResult whole = launches.front().idle[i];
  whole.metrics = merge_metrics(metrics);
  const auto latency = whole.metrics.find(metric::latency);
  const bool known = latency != whole.metrics.end() && latency->second.known();
  whole.difference = known ? middle<double>(results, [](const IdleResult& r) { return r.difference; }) : std::nullopt;
  whole.before = power_over(results, &IdleResult::before);
  whole.after = power_over(results, &IdleResult::after);
  return whole;
}

}  // namespace

std::vector<IdleResult> merge_idle(const std::vector<Record>& launches) {
  std::vector<IdleResult> all;
  for (std::size_t i = 0; i < launches.front().idle.size(); ++i) all.push_back(merged(launches, i));
  return all;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "measure/pipeline/schedule.h"

#include <algorithm>
#include <map>

namespace strobe {

nanoseconds replay(std::span<const ScheduledStage> stages, const ScheduleCosts& costs) {
  nanoseconds host{}, last{};
  std::map<std::size_t, nanoseconds> free;  // by lane
  std::vector<nanoseconds> ends;
  for (const ScheduledStage& s : stages) {
    nanoseconds start = s.host ? host : std::max(host, free[s.lane]);
    for (const std::size_t k : s.after) start = std::max(start, ends[k]) + (s.host ? costs.wait : 0ns);
    host = (s.host ? start : host) + s.submit;
    ends.push_back(s.host ? host : std::max(start + s.work, host));
    if (!s.host) free[s.lane] = ends.back();
    if (s.awaited) host += costs.mark;
    last = std::max(last, ends.back());
  }
  return std::max(host, last) + costs.wait;
}

double gain_of_tenth(std::vector<ScheduledStage> stages, std::size_t i, const ScheduleCosts& costs) {
  const nanoseconds before = replay(stages, costs);
  stages[i].submit = stages[i].submit * 9 / 10;
  stages[i].work = stages[i].work * 9 / 10;
  return before > 0ns ? 1 - to_double(replay(stages, costs)) / to_double(before) : 0;
}

}  // namespace strobe

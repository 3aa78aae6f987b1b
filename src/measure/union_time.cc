// SPDX-License-Identifier: Apache-2.0
#include "measure/union_time.h"

#include <algorithm>

#include "base/intervals.h"
#include "device/device.h"
#include "measure/timeline.h"
#include "stats/middle.h"

namespace strobe {
namespace {

constexpr std::size_t kFewest = 5, kMost = 200;

struct Marked {
  nanoseconds begin{}, submitted{}, done{};
  Mark first, last;
};

}  // namespace

UnionTimes union_times(Workload& workload, nanoseconds typical, bool cold, std::size_t& request, nanoseconds about) {
  if (about < kUnionTurn && about < static_cast<std::int64_t>(kFewest) * typical) return {};
  Stream& stream = workload.stream();
  Device& device = stream.device();
  Clock& clock = device.clock();
  std::vector<Marked> requests(typical > 0ns ? std::clamp(static_cast<std::size_t>(about / typical), kFewest, kMost)
                                             : kMost);
  stream.reserve(2 * kAnchorTries + 2 * requests.size());
  stream.synchronize();
  const Anchor before = take_anchor(stream, clock);
  for (Marked& r : requests) {
    if (cold) {
      device.flush_cache(stream);
      stream.synchronize();
    }
    r.first = stream.mark();
    r.begin = clock.now();
    workload.submit(request++);
    r.submitted = clock.now();
    r.last = stream.mark();
    stream.wait(r.last);
    r.done = clock.now();
  }
  const ClockMap map(stream, before, take_anchor(stream, clock));
  UnionTimes times{.ns = {}, .uncertainty = map.uncertainty(), .why_not = {}};
  std::vector<nanoseconds> latencies;
  for (const Marked& r : requests) {
    // Its first mark stands before it; no work of it can begin earlier than it does.
    const Interval device_work{std::max(r.begin, map.host_time(r.first)), map.host_time(r.last)};
    times.ns.push_back(to_double(length_of(unite({{r.begin, r.submitted}, device_work}))));
    latencies.push_back(r.done - r.begin);
  }
  times.why_not = timeline_refusal(map.within_reach(), map.uncertainty(), to_double(stats::middle_of(latencies)));
  return times;
}

}  // namespace strobe

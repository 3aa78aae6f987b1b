// SPDX-License-Identifier: Apache-2.0
#include "measure/union_time.h"

#include <algorithm>

#include "base/intervals.h"
#include "device/device.h"
#include "device/host_lock.h"
#include "measure/timeline.h"

namespace strobe {
namespace {

constexpr std::size_t kFewest = 5, kMost = 200;

struct Marked {
  nanoseconds begin{}, submitted{}, done{};
  Mark first, last;

  nanoseconds latency() const { return done - begin; }
};

// Its first mark stands before it; no work of it can begin earlier than it does.
nanoseconds work_begin(const Marked& r, const ClockMap& map) {
  return std::max(r.begin, map.host_time(r.first));
}

double union_time(const Marked& r, const ClockMap& map) {
  return to_double(length_of(unite({{r.begin, r.submitted}, {work_begin(r, map), map.host_time(r.last)}})));
}

PlacedRequest placed(const Marked& r, const ClockMap& map) {
  return {r.submitted - r.begin, r.done - r.begin, work_begin(r, map) - r.begin, map.host_time(r.last) - r.begin};
}

const Marked& median_of(std::vector<Marked>& requests) {
  const auto middle = requests.begin() + static_cast<std::ptrdiff_t>(requests.size() / 2);
  std::nth_element(requests.begin(), middle, requests.end(),
                   [](const Marked& a, const Marked& b) { return a.latency() < b.latency(); });
  return *middle;
}

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
    take_host_lock();
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
  for (const Marked& r : requests) times.ns.push_back(union_time(r, map));
  const Marked& median = median_of(requests);
  times.why_not = timeline_refusal(map.within_reach(), map.uncertainty(), to_double(median.latency()));
  if (times.why_not.empty()) times.median = placed(median, map);
  return times;
}

}  // namespace strobe

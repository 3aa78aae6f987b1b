// SPDX-License-Identifier: Apache-2.0
#include "measure/allocation_peak.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "base/units.h"
#include "measure/memory_log.h"

namespace strobe {
namespace {

double size_of(const AllocationEvent& e) {
  return static_cast<double>(e.bytes);
}

// What is live, by its cause. The end of a block that nobody saw begin counts for nothing.
class Live {
 public:
  // The change of the sum.
  double take(const AllocationEvent& e) {
    if (e.bytes >= 0) {
      blocks_[e.block] = {size_of(e), e.cause};
      by_cause_[e.cause] += size_of(e);
      return size_of(e);
    }
    const auto it = blocks_.find(e.block);
    if (it == blocks_.end()) return 0;
    const auto [bytes, cause] = it->second;
    by_cause_[cause] -= bytes;
    blocks_.erase(it);
    return -bytes;
  }
  const std::map<std::string, double>& by_cause() const { return by_cause_; }

 private:
  std::map<std::uint64_t, std::pair<double, std::string>> blocks_;
  std::map<std::string, double> by_cause_;
};

double time_since(std::chrono::nanoseconds zero, const AllocationEvent& e) {
  return to_double(e.at - zero);
}

const MemoryPhase* phase_at(const std::vector<MemoryPhase>& phases, double at) {
  for (const MemoryPhase& p : phases) {
    if (at <= p.end_ns) return &p;
  }
  return nullptr;
}

// Requests are alike: of allocations that nothing tells apart the first in each phase is enough.
std::vector<const AllocationEvent*> distinct_begins(
    const std::vector<AllocationEvent>& events, const std::function<const MemoryPhase*(const AllocationEvent&)>& in) {
  std::set<std::tuple<const MemoryPhase*, std::int64_t, std::string, std::string>> seen;
  std::vector<const AllocationEvent*> begun;
  for (const AllocationEvent& e : events) {
    if (e.bytes > 0 && seen.emplace(in(e), e.bytes, e.cause, e.layer).second) begun.push_back(&e);
  }
  return begun;
}

std::set<std::uint64_t> largest_blocks(std::vector<const AllocationEvent*> begun, std::size_t most) {
  std::stable_sort(begun.begin(), begun.end(), [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
  std::set<std::uint64_t> blocks;
  for (const AllocationEvent* e : begun) {
    if (blocks.size() == most) break;
    blocks.insert(e->block);
  }
  return blocks;
}

}  // namespace

AllocationPeak allocation_peak(const std::vector<AllocationEvent>& events) {
  AllocationPeak peak;
  Live live;
  double now = 0;
  for (const AllocationEvent& e : events) {
    now += live.take(e);
    if (now > peak.bytes) peak = {now, live.by_cause()};
  }
  std::erase_if(peak.by_cause, [](const auto& part) { return part.second <= 0; });
  return peak;
}

MemoryPlace place_of_allocations(const std::vector<AllocationEvent>& events, std::chrono::nanoseconds zero,
                                 const std::vector<MemoryPhase>& like) {
  MemoryPlace p{.name = memory_place::allocations,
                .counted = "allocations that were recorded, in a launch of their own"};
  p.curve.push_back({0, 0});
  Live live;
  double now = 0;
  std::size_t next = 0;
  for (MemoryPhase phase : like) {
    double most = now;
    for (; next < events.size() && phase_at(like, time_since(zero, events[next])) == &like[p.phases.size()]; ++next) {
      now += live.take(events[next]);
      most = std::max(most, now);
      p.curve.push_back({std::max(0.0, time_since(zero, events[next])), now});
    }
    phase.peak = read_once(most);
    phase.end = read_once(now);
    p.curve.push_back({phase.end_ns, now});
    p.phases.push_back(std::move(phase));
  }
  return p;
}

std::vector<MemoryEvent> largest_events(const std::vector<AllocationEvent>& events, std::chrono::nanoseconds zero,
                                        const std::vector<MemoryPhase>& phases, std::size_t most) {
  const auto phase_of = [&](const AllocationEvent& e) { return phase_at(phases, std::max(0.0, time_since(zero, e))); };
  const std::set<std::uint64_t> blocks = largest_blocks(distinct_begins(events, phase_of), most);
  std::map<std::uint64_t, const AllocationEvent*> begun;
  std::vector<MemoryEvent> out;
  for (const AllocationEvent& e : events) {
    if (!blocks.contains(e.block)) continue;
    const double at = std::max(0.0, time_since(zero, e));
    const MemoryPhase* phase = phase_of(e);
    const AllocationEvent& told = e.bytes > 0 ? *(begun[e.block] = &e) : *begun[e.block];
    out.push_back({at, size_of(e), phase ? phase->name : "", told.cause, told.layer});
  }
  return out;
}

}  // namespace strobe

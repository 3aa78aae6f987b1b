// SPDX-License-Identifier: Apache-2.0
#include "study/memory/merge_memory.h"

#include <algorithm>
#include <functional>

#include "measure/memory_meter.h"
#include "record/estimates.h"
#include "record/outcome_words.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"

namespace strobe {
namespace {

// A remainder may be negative, of which nothing is predicted: then it is what was seen.
Estimate memory_over(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least < 0) return make_estimate(stats::median_of(values), *least, *most, {});
  const stats::Estimate e = stats::predict_next_launch(values);
  return make_estimate(e.value, e.low, e.high, "one launch says nothing about others");
}

// Of each launch that has it.
using PartOf = std::function<const Estimate*(const Record&)>;

void merge(Estimate& into, const std::vector<Record>& launches, const PartOf& reading) {
  std::vector<double> values;
  for (const Record& r : launches) {
    if (const Estimate* e = reading(r)) values.push_back(e->value);
  }
  if (values.size() > 1) into = memory_over(values);
}

const MemoryPlace* place_named(const Record& r, const std::string& name) {
  const auto& places = r.memory.places;
  const auto it = std::find_if(places.begin(), places.end(), [&](const MemoryPlace& p) { return p.name == name; });
  return it == places.end() ? nullptr : &*it;
}

void merge_place(MemoryPlace& place, const std::vector<Record>& launches) {
  std::vector<MemoryGrowth> growths;
  for (const Record& r : launches) {
    const MemoryPlace* p = place_named(r, place.name);
    if (p && p->growth) growths.push_back(*p->growth);
  }
  if (growths.size() > 1) place.growth = growth_over(growths);
  for (std::size_t i = 0; i < place.phases.size(); ++i) {
    const auto phase = [&](const Record& r) -> const MemoryPhase* {
      const MemoryPlace* p = place_named(r, place.name);
      return p && i < p->phases.size() ? &p->phases[i] : nullptr;
    };
    const auto of = [&](Estimate MemoryPhase::* member) {
      return [=](const Record& r) { return phase(r) ? &(phase(r)->*member) : nullptr; };
    };
    merge(place.phases[i].peak, launches, of(&MemoryPhase::peak));
    merge(place.phases[i].end, launches, of(&MemoryPhase::end));
  }
}

void merge_parts(MemoryAnswer& whole, const std::vector<Record>& launches) {
  for (MemoryPart& part : whole.parts) {
    merge(part.bytes, launches, [&](const Record& r) -> const Estimate* {
      for (const MemoryPart& p : r.memory.parts) {
        if (p.name == part.name) return &p.bytes;
      }
      return nullptr;
    });
  }
}

void merge_allocator(MemoryAllocator& a, const std::vector<Record>& launches) {
  for (const auto member : {&MemoryAllocator::in_use, &MemoryAllocator::reserved, &MemoryAllocator::peak}) {
    merge(a.*member, launches,
          [&](const Record& r) { return r.memory.allocator ? &((*r.memory.allocator).*member) : nullptr; });
  }
}

}  // namespace

MemoryGrowth growth_over(const std::vector<MemoryGrowth>& launches) {
  MemoryGrowth whole = launches.front();
  std::vector<double> values;
  std::size_t grow = 0, steady = 0;
  Estimate& e = whole.per_request;
  for (const MemoryGrowth& g : launches) {
    values.push_back(g.per_request.value);
    grow += g.outcome == growth_word::grows;
    steady += g.outcome == growth_word::steady;
    e.low = e.low && g.per_request.low ? std::optional(std::min(*e.low, *g.per_request.low)) : std::nullopt;
    e.high = e.high && g.per_request.high ? std::optional(std::max(*e.high, *g.per_request.high)) : std::nullopt;
  }
  e = make_estimate(stats::median_of(values), e.low, e.high, kTooFewRequests);
  whole.outcome = grow + 1 >= launches.size() && grow > 0 ? growth_word::grows
                  : grow == 0 && steady > 0               ? growth_word::steady
                                                          : growth_word::cannot_tell;
  return whole;
}

void merge_memory(const std::vector<Record>& weighed, Record& whole) {
  MemoryAnswer& m = whole.memory;
  m.requests = 0;
  for (const Record& r : weighed) m.requests += r.memory.requests;
  for (MemoryPlace& place : m.places) merge_place(place, weighed);
  merge_parts(m, weighed);
  if (m.allocator) merge_allocator(*m.allocator, weighed);
}

void add_recorded(const Record& recorded, MemoryAnswer& whole) {
  const MemoryAnswer& from = recorded.memory;
  whole.recorded = from.recorded;
  whole.events = from.events;
  whole.peak_causes = from.peak_causes;
  whole.recorder = from.recorder;
  whole.why_no_events = from.why_no_events;
  for (const MemoryPlace& p : from.places) {
    if (p.name == memory_place::allocations) whole.places.push_back(p);
  }
}

}  // namespace strobe

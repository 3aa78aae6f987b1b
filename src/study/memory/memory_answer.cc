// SPDX-License-Identifier: Apache-2.0
#include "study/memory/memory_answer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/if_possible.h"
#include "host/memory.h"
#include "measure/allocation_peak.h"
#include "measure/memory_log.h"
#include "record/metric_names.h"
#include "record/outcome_words.h"
#include "study/bytes_metric.h"

namespace strobe {
namespace {

constexpr std::size_t kMostEvents = 100, kMostPoints = 400;

double peak_of(const MemoryPlace& p) {
  double most = 0;
  for (const MemoryPhase& phase : p.phases) most = std::max(most, phase.peak.value);
  return most;
}

double level_at_end(const MemoryPlace& p) {
  return p.phases.empty() ? 0 : p.phases.back().end.value;
}

// Of neighbours the highest is kept: a peak must not be lost.
void thin(std::vector<MemoryPoint>& curve) {
  if (curve.size() <= kMostPoints) return;
  const std::size_t each = (curve.size() + kMostPoints - 1) / kMostPoints;
  std::vector<MemoryPoint> kept;
  for (std::size_t i = 0; i < curve.size(); i += each) {
    const auto begin = curve.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = curve.begin() + static_cast<std::ptrdiff_t>(std::min(i + each, curve.size()));
    kept.push_back(*std::max_element(begin, end, [](const auto& a, const auto& b) { return a.bytes < b.bytes; }));
  }
  curve = std::move(kept);
}

void describe_allocator(Workload& work, MemoryAnswer& m) {
  const AllocatorReading reading = work.allocator();
  m.why_no_allocator = reading.why_not;
  if (!reading.state) return;
  const AllocatorState& s = *reading.state;
  const auto in_use = static_cast<double>(s.in_use), reserved = static_cast<double>(s.reserved);
  m.allocator = MemoryAllocator{.name = s.name,
                                .in_use = read_once(in_use),
                                .reserved = read_once(reserved),
                                .peak = read_once(static_cast<double>(s.peak)),
                                .fragmentation = reserved > 0 ? std::clamp(1 - in_use / reserved, 0.0, 1.0) : 0};
}

void add_part(const char* name, double bytes, MemoryAnswer& m) {
  if (bytes != 0) m.parts.push_back({name, read_once(bytes)});
}

// What the kernel says of whose pages they are; of heaps what the runtime's allocator and the C library have given out.
// The former takes its memory from the latter.
void divide_process(double total, Workload& work, MemoryAnswer& m) {
  const ResidentMemory now = resident_memory();
  const double files = static_cast<double>(now.all.count - now.anonymous.count);
  const double allocated = m.allocator ? m.allocator->in_use.value : 0;
  const double inputs = static_cast<double>(work.input_bytes().value_or(0));
  add_part("libraries and mapped files", files, m);
  add_part("in use of the allocator", allocated, m);
  add_part("input sets", inputs, m);
  const double reserved = m.allocator ? m.allocator->reserved.value : 0;
  const double others = std::max(0.0, static_cast<double>(heap_in_use().count) - reserved - inputs);
  add_part("other blocks of the heap", others, m);
  const auto given_back = static_cast<double>(heap_free().count);
  add_part("free in the heap", given_back, m);
  add_part("unexplained", total - files - allocated - inputs - others - given_back, m);
}

void divide_device(double total, MemoryAnswer& m) {
  double known = 0;
  if (m.allocator) {
    known = m.allocator->reserved.value;
    add_part("in use of the allocator", m.allocator->in_use.value, m);
    add_part("free in the allocator", known - m.allocator->in_use.value, m);
  }
  add_part("unexplained", total - known, m);
}

void describe_recorded(Workload& work, nanoseconds zero, MemoryAnswer& m) {
  const Allocations a = work.allocations();
  m.why_no_events = a.why_not;
  m.recorder = a.recorder;
  if (!a.why_not.empty()) return;
  const std::vector<MemoryPhase> phases = m.places.front().phases;
  m.recorded = a.events.size();
  m.events = largest_events(a.events, zero, phases, kMostEvents);
  for (const auto& [cause, bytes] : allocation_peak(a.events).by_cause)
    m.peak_causes.push_back({cause.empty() ? "unknown" : cause, read_once(bytes)});
  std::stable_sort(m.peak_causes.begin(), m.peak_causes.end(),
                   [](const MemoryPart& x, const MemoryPart& y) { return x.bytes.value > y.bytes.value; });
  m.places.push_back(place_of_allocations(a.events, zero, phases));
}

}  // namespace

const MemoryPhase* phase_named(const MemoryPlace& p, const char* name) {
  const auto it =
      std::find_if(p.phases.begin(), p.phases.end(), [&](const MemoryPhase& phase) { return phase.name == name; });
  return it == p.phases.end() ? nullptr : &*it;
}

void describe_memory(Workload& work, bool recorded, nanoseconds zero, Record& r) {
  MemoryAnswer& m = r.memory;
  const double total = level_at_end(m.places.front());
  r.metrics[metric::memory] = bytes_metric(static_cast<std::uint64_t>(std::max(0.0, peak_of(m.places.front()))));
  if_possible([&] { describe_allocator(work, m); });
  if (m.places.front().name == memory_place::device)
    divide_device(total, m);
  else
    divide_process(total, work, m);
  if (recorded) describe_recorded(work, zero, m);
  for (MemoryPlace& p : m.places) thin(p.curve);
}

void decide_fit(std::uint64_t limit, Record& r) {
  const Metric* peak = r.find(metric::memory);
  if (!peak) return;
  const Estimate& e = peak->estimate;
  const auto most = static_cast<double>(limit);
  MemoryFit fit{.limit_bytes = limit, .margin_bytes = most - e.high.value_or(e.value)};
  if (e.high.value_or(e.value) <= most)
    fit.outcome = fit_word::fits;
  else
    fit.outcome = e.low.value_or(e.value) > most ? fit_word::does_not_fit : fit_word::cannot_tell;
  const auto& growth = r.memory.places.front().growth;
  if (growth && growth->outcome == growth_word::grows && growth->per_request.value > 0)
    fit.requests_left = std::max(0.0, std::floor((most - e.value) / growth->per_request.value));
  r.failed = fit.outcome == fit_word::does_not_fit;
  if (fit.outcome == fit_word::cannot_tell)
    r.undecided = "cannot tell whether it fits into the limit: some launches may need more. Take more --launches";
  r.memory.fit = fit;
}

}  // namespace strobe

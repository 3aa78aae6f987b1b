// SPDX-License-Identifier: Apache-2.0
#include "report/memory_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/outcome_words.h"
#include "report/words.h"

namespace strobe {
namespace {

std::string amount_text(double bytes) {
  const double size = std::fabs(bytes);
  return (bytes < 0 ? "-" : "") + (size < 1024 ? fmt::format("{:.4g} B", size) : figure(size, unit::bytes).plain());
}

}  // namespace

std::string memory_text(const Estimate& e) {
  return e.value < 0 ? amount_text(e.value) : figure(e, unit::bytes).plain();
}

std::string parts_text(const std::vector<MemoryPart>& parts) {
  std::string text;
  for (const MemoryPart& p : parts)
    text += fmt::format("{}{} {}", text.empty() ? "" : " · ", p.name, amount_text(p.bytes.value));
  return text;
}

std::string growth_sentence(const MemoryPlace& p) {
  if (!p.growth) return {};
  const MemoryGrowth& g = *p.growth;
  const std::string over = fmt::format("over {} of a launch", counted(g.requests, "request", "requests"));
  if (g.outcome == growth_word::cannot_tell && !g.per_request.bounded())
    return fmt::format("unknown: {} are too few to tell", counted(g.requests, "request", "requests"));
  const std::string each = fmt::format("{} a request  [{}, {}]", amount_text(g.per_request.value),
                                       amount_text(*g.per_request.low), amount_text(*g.per_request.high));
  if (g.outcome == growth_word::grows) return fmt::format("it grows: {}, {}", each, over);
  if (g.outcome == growth_word::steady) return fmt::format("it does not grow: {}, {}", each, over);
  return fmt::format("cannot tell: {}, {}; more --requests can", each, over);
}

std::string allocator_sentence(const Record& r) {
  const MemoryAnswer& m = r.memory;
  if (!m.allocator) return m.why_no_allocator.empty() ? "" : "unknown: " + m.why_no_allocator;
  const MemoryAllocator& a = *m.allocator;
  return fmt::format("{}: {} in use of {} reserved ({} free), at most {} at once", a.name, amount_text(a.in_use.value),
                     amount_text(a.reserved.value), format_percent(a.fragmentation), amount_text(a.peak.value));
}

std::string events_sentence(const Record& r) {
  const MemoryAnswer& m = r.memory;
  if (!m.why_no_events.empty()) return "unknown: " + m.why_no_events;
  if (m.recorder.empty()) return {};
  return fmt::format("{} of allocations in a launch of their own ({})",
                     counted(m.recorded, "begin or end", "begins and ends"), m.recorder);
}

std::string fit_sentence(const Record& r) {
  if (!r.memory.fit) return {};
  const MemoryFit& f = *r.memory.fit;
  const std::string limit = format_bytes({f.limit_bytes});
  std::string text;
  if (f.outcome == fit_word::fits)
    text = fmt::format("it fits into {}: {} are left", limit, amount_text(f.margin_bytes));
  else if (f.outcome == fit_word::does_not_fit)
    text = fmt::format("it does not fit into {}: {} are missing", limit, amount_text(-f.margin_bytes));
  else
    text = fmt::format("cannot tell whether it fits into {}: the next launch may need {} more", limit,
                       amount_text(-f.margin_bytes));
  if (f.requests_left && f.outcome == fit_word::fits)
    text += fmt::format(", for about {} more",
                        counted(static_cast<std::uint64_t>(*f.requests_left), "request", "requests"));
  return text;
}

std::vector<MemoryPoint> on_time_of(const MemoryPlace& place, const std::vector<MemoryPhase>& like) {
  std::vector<MemoryPoint> out;
  for (const MemoryPoint& p : place.curve) {
    std::size_t i = 0;
    while (i + 1 < place.phases.size() && p.at_ns > place.phases[i].end_ns) ++i;
    if (i >= like.size() || i >= place.phases.size()) continue;
    const MemoryPhase &from = place.phases[i], &to = like[i];
    const double length = from.end_ns - from.begin_ns;
    const double share = length > 0 ? std::clamp((p.at_ns - from.begin_ns) / length, 0.0, 1.0) : 1;
    out.push_back({to.begin_ns + share * (to.end_ns - to.begin_ns), p.bytes});
  }
  return out;
}

}  // namespace strobe

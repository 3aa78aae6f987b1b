// SPDX-License-Identifier: Apache-2.0
#include "report/text/memory_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "report/memory_parts.h"
#include "report/text/head_text.h"
#include "report/text/labels.h"
#include "report/text/run_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

constexpr std::size_t kShownEvents = 10;

std::string labelled_line(std::string_view label, const std::string& text) {
  return text.empty() ? "" : padded(label, kLabelWidth) + text + "\n";
}

std::vector<std::string> cells_of(const Estimate& e) {
  const Figure f = figure(e, unit::bytes);
  return {f.number + " " + f.unit, f.interval};
}

std::string phases_table(const MemoryPlace& place) {
  Table table("lrlrlr");
  table.add({place.name, "peak", "", "at its end", "", "requests"});
  for (const MemoryPhase& p : place.phases) {
    std::vector<std::string> row{p.name};
    for (const Estimate* e : {&p.peak, &p.end}) {
      for (std::string& cell : cells_of(*e)) row.push_back(std::move(cell));
    }
    row.push_back(p.requests > 0 ? format_count(p.requests) : "");
    table.add(std::move(row));
  }
  return "\n" + table.render();
}

std::string places_tables(const Record& r, bool all) {
  std::string text;
  for (const MemoryPlace& p : r.memory.places) {
    if (&p != &r.memory.places.front() && !all && p.name != "allocations") continue;
    text += phases_table(p);
    if (p.before > 0) text += fmt::format("before the load {}; {}\n", figure(p.before, unit::bytes).plain(), p.counted);
  }
  return text;
}

std::string events_table(const Record& r, bool all) {
  std::vector<const MemoryEvent*> begun;
  for (const MemoryEvent& e : r.memory.events) {
    if (e.bytes > 0) begun.push_back(&e);
  }
  if (begun.empty()) return {};
  std::stable_sort(begun.begin(), begun.end(), [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
  const std::size_t shown = all ? begun.size() : std::min(begun.size(), kShownEvents);
  Table table("rrlll");
  table.add({"allocated", "first at", "phase", "cause", "layer"});
  for (std::size_t i = 0; i < shown; ++i) {
    const MemoryEvent& e = *begun[i];
    table.add({figure(e.bytes, unit::bytes).plain(), format_time(e.at_ns), e.phase, e.cause, e.layer});
  }
  const std::string more =
      shown < begun.size() ? fmt::format("the largest {} (--verbose: the largest {})\n", shown, begun.size()) : "";
  return "\n" + table.render() + more;
}

}  // namespace

std::string show_memory(const Record& r, const RenderOptions& o, const Painter& p) {
  const MemoryAnswer& m = r.memory;
  const std::string lines = r.metrics.empty() ? "nothing was measured\n" : metric_lines(r, o, p);
  if (m.places.empty()) return head_line(r, p) + lines + verdict_lines(r, o, p);
  return head_line(r, p) + lines + labelled_line("limit", fit_sentence(r)) +
         labelled_line("growth", growth_sentence(m.places.front())) + labelled_line("at the end", parts_text(m.parts)) +
         labelled_line("allocator", allocator_sentence(r)) + labelled_line("at its peak", parts_text(m.peak_causes)) +
         labelled_line("events", events_sentence(r)) + places_tables(r, o.verbose) + events_table(r, o.verbose) + "\n" +
         verdict_lines(r, o, p) + launches_line(r);
}

}  // namespace strobe

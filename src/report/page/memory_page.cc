// SPDX-License-Identifier: Apache-2.0
// What is special about the page of what memory goes to.
#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "report/memory_parts.h"
#include "report/page/studies.h"
#include "report/pictures/pictures.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string memory_sentences(const Record& r) {
  const MemoryAnswer& m = r.memory;
  const std::string allocator = allocator_sentence(r), events = events_sentence(r);
  std::string list;
  for (const std::string& s :
       {fit_sentence(r), growth_sentence(m.places.front()), allocator.empty() ? "" : "the allocator: " + allocator,
        events.empty() ? "" : "allocations: " + events}) {
    if (!s.empty()) list += fmt::format("<li>{}</li>", escaped(capitalised(s)).text);
  }
  return "<ul>" + list + "</ul>";
}

std::string phases(const MemoryPlace& place) {
  Cells t{fmt::format("{}: {}", capitalised(place.name), place.counted),
          {"phase", "peak", "at its end", "lasts", "requests"},
          "lllrr"};
  for (const MemoryPhase& p : place.phases)
    t.rows.push_back({escaped(p.name), escaped(memory_text(p.peak)), escaped(memory_text(p.end)),
                      nowrap(format_time(p.end_ns - p.begin_ns)), nowrap(format_count(p.requests))});
  return render(t);
}

std::string events_cells(const Record& r) {
  Cells t{"The largest allocations, and their ends", {"at", "bytes", "phase", "cause", "layer"}, "rrlll"};
  for (const MemoryEvent& e : r.memory.events)
    t.rows.push_back({nowrap(format_time(e.at_ns)), escaped(memory_text({.value = e.bytes})), escaped(e.phase),
                      escaped(e.cause), escaped(e.layer)});
  return t.rows.empty() ? "" : render(t);
}

}  // namespace

std::optional<Headline> memory_headline(const Record& r) {
  const Metric* peak = r.find(metric::memory);
  if (!peak || r.memory.places.empty()) return {};
  Headline h =
      headline_of_median(fmt::format("peak memory of the {}", r.memory.places.front().name), metric::memory, *peak);
  h.sentence = fit_sentence(r);
  h.aside = fmt::format("{} in steady state", counted(r.memory.requests, "request", "requests"));
  if (!r.launches.empty()) h.aside += " of " + launches_phrase(r);
  return h;
}

std::string memory_pictures(const Record& r, Outline& o) {
  if (r.memory.places.empty()) return measurement_pictures(r, o);
  std::vector<Plot> plots;
  for (auto& plot : {memory_over_time(r), memory_bars(r), launches(r)}) {
    if (plot) plots.push_back(*plot);
  }
  return section(o, "What memory goes to", lay_out(plots, o) + memory_sentences(r));
}

std::string memory_tables(const Record& r, Outline& o) {
  std::string tables;
  for (const MemoryPlace& p : r.memory.places) tables += phases(p);
  return section(o, "Phases", tables) + section(o, "Allocations", events_cells(r));
}

}  // namespace strobe::page

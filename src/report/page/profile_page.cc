// SPDX-License-Identifier: Apache-2.0
// What is special about the page of a profile.
#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_names.h"
#include "report/page/studies.h"
#include "report/pictures/pictures.h"
#include "report/profile_parts.h"
#include "report/words.h"

namespace strobe::page {
namespace {

std::string sentences(const Record& r) {
  std::string list = fmt::format("<li>{}</li>", escaped(capitalised(slowdown_words(r))).text);
  for (const std::string& s : activity_sentences(r)) list += fmt::format("<li>{}</li>", escaped(capitalised(s)).text);
  for (const std::string* why : {&r.profile.why_no_layers, &r.profile.why_no_trace}) {
    if (!why->empty()) list += fmt::format("<li>{}</li>", escaped(capitalised(*why)).text);
  }
  return "<ul>" + list + "</ul>";
}

Html time_cell(const Estimate& e) {
  return escaped(figure(e, unit::ns).plain());
}

std::string layers(const Record& r) {
  Cells t{"Layers in the order of the model", {"layer", "type", "runs on", "calls", "time", "share"}, "lllrlr"};
  for (const LayerResult& l : r.profile.layers)
    t.rows.push_back({escaped(l.name), escaped(l.type), escaped(l.where), escaped(fmt::format("{:.4g}", l.calls)),
                      time_cell(l.time), nowrap(format_percent(l.share))});
  return t.rows.empty() ? "" : render(t);
}

std::string kernels(const Record& r) {
  Cells t{"Kernels and copies, the longest first", {"kernel", "calls", "time", "of busy"}, "lrlr"};
  for (const KernelResult& k : r.profile.kernels)
    t.rows.push_back(
        {escaped(k.name), escaped(fmt::format("{:.4g}", k.calls)), time_cell(k.time), nowrap(format_percent(k.share))});
  return t.rows.empty() ? "" : render(t);
}

}  // namespace

std::optional<Headline> profile_headline(const Record& r) {
  const std::vector<const LayerResult*> by_share = hottest(r);
  const Metric* latency = r.find(metric::latency);
  if (by_share.empty() || !latency) return {};
  Headline h = headline_of_median("latency, without the profiler", metric::latency, *latency);
  h.sentence = fmt::format("{} of it in the hottest layer, {}", format_percent(by_share.front()->share),
                           shortened(by_share.front()->name, 60));
  return h;
}

std::string profile_pictures(const Record& r, Outline& o) {
  if (r.profile.requests == 0) return measurement_pictures(r, o);
  std::vector<Plot> plots;
  for (auto& plot : {layer_bars(r), type_bars(r), timeline(r)}) {
    if (plot) plots.push_back(*plot);
  }
  return section(o, "Where the time goes", lay_out(plots, o) + sentences(r));
}

std::string profile_tables(const Record& r, Outline& o) {
  return section(o, "Layers", layers(r)) + section(o, "Kernels", kernels(r));
}

}  // namespace strobe::page

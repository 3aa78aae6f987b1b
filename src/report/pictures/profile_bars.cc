// SPDX-License-Identifier: Apache-2.0
// Where the time of a request goes: a bar for each layer, and for each type of layer.
#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "report/pictures/interval_rows.h"
#include "report/pictures/pictures.h"
#include "report/profile_parts.h"
#include "report/words.h"

namespace strobe::page {
namespace {

constexpr std::size_t kMostLayerBars = 20;

IntervalAxis bars_of_time() {
  return {.unit = unit::ns, .name = "of a request", .bars = true};
}

}  // namespace

std::optional<Plot> layer_bars(const Record& r) {
  if (r.profile.layers.empty()) return {};
  const std::vector<const LayerResult*> layers = hottest(r);
  Plot p{.title = "The hottest layers",
         .description = fmt::format("{} of {} layers.", std::min(layers.size(), kMostLayerBars), layers.size()),
         .caption =
             "Bar: what of a request is a layer's own, under the profiler; line: its interval for the next launch."};
  p.table = {p.title, {"layer", "type", "time", "share"}, "llrr"};
  std::vector<IntervalRow> rows;
  for (const LayerResult* l : layers) {
    if (rows.size() == kMostLayerBars) break;
    const std::string time = figure(l->time, unit::ns).plain(), share = format_percent(l->share);
    IntervalRow& row = rows.emplace_back();
    row.label = l->name;
    row.value = fmt::format("{} ({})", format_time(l->time.value), share);
    row.estimate = l->time;
    row.words = fmt::format("{} ({}): {}, {}", l->name, l->type, time, share);
    p.table.rows.push_back({escaped(l->name), escaped(l->type), escaped(time), escaped(share)});
  }
  draw_rows(p, rows, bars_of_time());
  return p;
}

std::optional<Plot> type_bars(const Record& r) {
  const std::vector<LayerType> types = layer_types(r);
  if (types.size() < 2) return {};
  Plot p{.title = "By type of layer",
         .description = fmt::format("{} types.", types.size()),
         .caption = "Bar: all layers of a type."};
  p.table = {p.title, {"type", "layers", "time", "share"}, "lrrr"};
  std::vector<IntervalRow> rows;
  for (const LayerType& t : types) {
    const std::string share = format_percent(t.share), time = format_time(t.time_ns);
    p.table.rows.push_back({escaped(t.type), escaped(format_count(t.layers)), escaped(time), escaped(share)});
    if (rows.size() == kMostLayerBars) continue;
    IntervalRow& row = rows.emplace_back();
    row.label = fmt::format("{} ({})", t.type, counted(t.layers, "layer", "layers"));
    row.value = fmt::format("{} ({})", time, share);
    row.estimate.value = t.time_ns;
    row.words = fmt::format("{}: {}, {}", t.type, time, share);
    row.series = 1;
  }
  draw_rows(p, rows, bars_of_time());
  return p;
}

}  // namespace strobe::page

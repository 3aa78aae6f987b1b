// SPDX-License-Identifier: Apache-2.0
#include "report/text/profile_text.h"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/outcome_words.h"
#include "record/scalars.h"
#include "report/profile_parts.h"
#include "report/text/head_text.h"
#include "report/text/labels.h"
#include "report/text/run_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

constexpr std::size_t kLettersOfPart = 60;  // names of layers are paths, names of kernels have parameters

std::string number_text(double x) {
  return x == static_cast<double>(static_cast<std::uint64_t>(x)) ? format_count(static_cast<std::uint64_t>(x))
                                                                 : fmt::format("{:.1f}", x);
}

std::vector<std::string> time_cells(const Estimate& e) {
  const Figure f = figure(e, unit::ns);
  return {f.number + " " + f.unit, f.interval};
}

// The end of a name tells layers apart, not its begin.
std::string part_name(const std::string& name) {
  if (width(name) <= kLettersOfPart || name.size() <= kLettersOfPart) return name;
  std::size_t from = name.size() - kLettersOfPart;
  while (from < name.size() && (static_cast<unsigned char>(name[from]) & 0xC0) == 0x80) ++from;  // within a character
  return "…" + name.substr(from);
}

std::string slowdown_line(const Record& r) {
  std::string text = padded("profiler", kLabelWidth);
  if (const auto& s = r.profile.slowdown) {
    const std::string interval = s->bounded() ? fmt::format(" [{:.3f}, {:.3f}]", *s->low, *s->high) : "";
    text += fmt::format("requests take {:.3f}{} times as long with it; ", s->value, interval);
  }
  return text + slowdown_words(r) + "\n";
}

std::string types_table(const Record& r) {
  const std::vector<LayerType> types = layer_types(r);
  if (types.size() < 2) return {};
  Table table("lrrr");
  table.add({"type", "share", "time", "layers"});
  for (const LayerType& t : types)
    table.add({t.type.empty() ? "-" : t.type, format_percent(t.share), format_time(t.time_ns), format_count(t.layers)});
  return "\n" + table.render();
}

std::string rest_line(const Record& r) {
  std::vector<std::string> parts;
  const ProfileAnswer& p = r.profile;
  if (p.unattributed && *p.unattributed > 0)
    parts.push_back(fmt::format("work of no layer {}", format_percent(*p.unattributed)));
  if (p.outside)
    parts.push_back(
        fmt::format("{} {}", p.unattributed ? "the device idles" : "outside any layer", format_percent(*p.outside)));
  return parts.empty() ? "" : fmt::format("{}\n", fmt::join(parts, "   "));
}

std::string layers_table(const Record& r, bool all) {
  const std::vector<const LayerResult*> layers = hottest(r);
  if (layers.empty()) return {};
  const std::size_t shown = all ? layers.size() : std::min(layers.size(), kShownParts);
  const bool kernels = layers.front()->kernels.has_value();
  Table table(kernels ? "rrlrrll" : "rrlrll");
  std::vector<std::string> head{"share", "time", "", "calls", "type", "layer"};
  if (kernels) head.insert(head.begin() + 4, "kernels");
  table.add(std::move(head));
  for (std::size_t i = 0; i < shown; ++i) {
    const LayerResult& l = *layers[i];
    std::vector<std::string> row{format_percent(l.share)};
    for (std::string& cell : time_cells(l.time)) row.push_back(std::move(cell));
    row.push_back(number_text(l.calls));
    if (kernels) row.push_back(number_text(l.kernels.value_or(0)));
    row.push_back(l.type);
    row.push_back(part_name(l.name));
    table.add(std::move(row));
  }
  const std::string more =
      shown < layers.size() ? fmt::format("the hottest {} of {} layers (--verbose: all)\n", shown, layers.size()) : "";
  return "\n" + table.render() + rest_line(r) + more;
}

std::string kernels_table(const Record& r, bool all) {
  const auto& kernels = r.profile.kernels;
  if (kernels.empty()) return {};
  const std::size_t shown = all ? kernels.size() : std::min(kernels.size(), kShownParts);
  Table table("rrlrl");
  table.add({"of busy", "time", "", "calls", "kernel"});
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> row{format_percent(kernels[i].share)};
    for (std::string& cell : time_cells(kernels[i].time)) row.push_back(std::move(cell));
    row.push_back(number_text(kernels[i].calls));
    row.push_back(part_name(kernels[i].name));
    table.add(std::move(row));
  }
  const std::string more = shown < kernels.size() ? fmt::format("{} more kernels\n", kernels.size() - shown) : "";
  return "\n" + table.render() + more;
}

// What the parts of the GPU did in the launches without a profiler, and what asking for it took.
std::string gpu_line(const Record& r) {
  struct GpuPart {
    const char *fact, *words;
    double scale;
    const char* unit;
  };
  constexpr std::array kParts{
      GpuPart{"sm_active", "multiprocessors", 100, " %"}, GpuPart{"tensor_active", "tensor cores", 100, " %"},
      GpuPart{"dram_bandwidth", "memory bandwidth", 100, " %"}, GpuPart{"pcie_in_mib_s", "PCIe in", 1, " MiB/s"},
      GpuPart{"pcie_out_mib_s", "PCIe out", 1, " MiB/s"}};
  const Scalars& facts = r.telemetry.facts;
  if (const auto why = fact<std::string>(facts, "gpm")) return padded("GPU", kLabelWidth) + "unknown: " + *why + "\n";
  std::vector<std::string> parts;
  for (const GpuPart& p : kParts) {
    if (const auto x = fact<double>(facts, p.fact))
      parts.push_back(fmt::format("{} {:.4g}{}", p.words, *x * p.scale, p.unit));
  }
  if (parts.empty()) return {};
  const auto cost = fact<double>(facts, "gpm_sample_ns");
  const std::string took = cost ? fmt::format("; a sample takes {} of another thread", format_time(*cost)) : "";
  return padded("GPU", kLabelWidth) + fmt::format("{}{}\n", fmt::join(parts, ", "), took);
}

std::string missing_lines(const Record& r) {
  std::string text;
  if (!r.profile.why_no_layers.empty())
    text += padded("layers", kLabelWidth) + "unknown: " + r.profile.why_no_layers + "\n";
  if (!r.profile.why_no_trace.empty())
    text += padded("kernels", kLabelWidth) + "unknown: " + r.profile.why_no_trace + "\n";
  if (const std::string words = trace_words(r); !words.empty()) text += padded("trace", kLabelWidth) + words + "\n";
  return text;
}

std::string activity_lines(const Record& r) {
  std::string text;
  for (const std::string& sentence : activity_sentences(r)) text += sentence + "\n";
  return text.empty() ? "" : "\n" + text;
}

std::string threads_line(const Record& r) {
  if (!r.profile.threads_busy) return {};
  return padded("threads", kLabelWidth) + fmt::format("{:.2f} at work at a time\n", *r.profile.threads_busy);
}

std::string outcome_of(const LayerDifference& d) {
  if (!d.before_ns) return "only after";
  if (!d.after_ns) return "only before";
  return d.outcome == change_word::cannot_tell ? "cannot tell" : d.outcome;
}

std::vector<std::string> difference_row(const LayerDifference& d) {
  const auto time = [](const std::optional<double>& ns) { return ns ? format_time(*ns) : "-"; };
  const std::string ratio = d.ratio ? fmt::format("{:.3f}", d.ratio->value) : "-";
  const std::string interval =
      d.ratio && d.ratio->bounded() ? fmt::format("[{:.3f}, {:.3f}]", *d.ratio->low, *d.ratio->high) : "";
  return {time(d.before_ns), time(d.after_ns), ratio, interval, outcome_of(d), d.type, part_name(d.name)};
}

}  // namespace

std::string layer_differences(const Record& r, bool all) {
  const auto& differences = r.profile.differences;
  if (differences.empty()) return {};
  const std::size_t shown = all ? differences.size() : std::min(differences.size(), kShownParts);
  Table table("rrrllll");
  table.add({"before", "after", "ratio", "", "", "type", "layer"});
  for (std::size_t i = 0; i < shown; ++i) table.add(difference_row(differences[i]));
  const std::string more =
      shown < differences.size()
          ? fmt::format("the {} largest changes of {} layers (--verbose: all)\n", shown, differences.size())
          : "";
  return "\n" + table.render() + more;
}

std::string show_profile(const Record& r, const RenderOptions& o, const Painter& p) {
  const std::string lines = r.metrics.empty() ? "nothing was measured\n" : metric_lines(r, o, p);
  if (r.profile.requests == 0) return head_line(r, p) + lines + verdict_lines(r, o, p);
  return head_line(r, p) + lines + slowdown_line(r) + threads_line(r) + gpu_line(r) + missing_lines(r) +
         activity_lines(r) + types_table(r) + layers_table(r, o.verbose) + kernels_table(r, o.verbose) + "\n" +
         verdict_lines(r, o, p) + launches_line(r);
}

}  // namespace strobe

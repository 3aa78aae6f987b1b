// SPDX-License-Identifier: Apache-2.0
#include "report/text/run_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "report/cpus_text.h"
#include "report/standing_text.h"
#include "report/text/cases_text.h"
#include "report/text/head_text.h"
#include "report/text/idle_text.h"
#include "report/text/labels.h"
#include "report/text/request_text.h"
#include "report/text/table.h"
#include "report/text/verdict_text.h"
#include "report/words.h"

namespace strobe {
namespace {

struct MetricLine {
  std::string label;
  Figure figure;
  std::string standing, rest;
};

// Shown by default; the others are one --explain or one JSON away.
bool is_headline(std::string_view metric, bool explain) {
  const MetricInfo* info = metric_info(metric);
  return explain || !info || !info->explained;
}

std::string percentile_text(const Percentile& q, std::string_view unit) {
  const std::string label = percentile_label(q.p);
  if (!q.estimate) return fmt::format("{} needs {} requests", label, format_count(q.needs.value_or(0)));
  const Figure f = figure(*q.estimate, unit);
  return fmt::format("{} {} {}{}", label, f.number, f.unit, f.interval.empty() ? "" : " " + f.interval);
}

std::string percentiles_text(const Metric& m) {
  std::vector<std::string> parts;
  for (const Percentile& q : m.percentiles) parts.push_back(percentile_text(q, m.unit));
  return fmt::format("{}", fmt::join(parts, "   "));
}

// What a caller gets who sends one request after the other: the rate that most tutorials print.
std::string one_at_a_time(const Record& r) {
  const Metric *latency = r.find(metric::latency), *rate = r.find(metric::throughput), *period = r.find(metric::period);
  if (!latency || !rate || !period || latency->estimate.value <= 0) return {};
  const double items = rate->estimate.value * period->estimate.value;  // of one request, times a second
  const Figure f = figure(items / latency->estimate.value, rate->unit);
  return fmt::format("{} {} one at a time (1 / latency)", f.number, f.unit);
}

// Beside the gross figure how it was read, beside the net one what was taken off.
std::string energy_text(const std::string& name, const Record& r) {
  const EnergyAnswer& e = r.energy;
  if (name == metric::energy && !e.windows.empty()) {
    const Metric* power = r.find(metric::power);
    const std::string at = power ? figure(power->estimate.value, unit::watts).plain() + " in " : "";
    return fmt::format("{}{} of {} by {}: {}", at, counted(e.windows.size(), "window", "windows"),
                       format_time(e.windows.front().length_ns), e.source, e.scope);
  }
  const Metric* idle = name == metric::energy_net ? r.find(metric::idle_power) : nullptr;
  return idle ? fmt::format("above {} idle, context alive", figure(idle->estimate.value, unit::watts).plain()) : "";
}

std::string rest_of(const std::string& name, const Metric& m, const Record& r) {
  if (const std::string cause = standing_cause(name, r); !cause.empty()) return cause;
  if (name == metric::latency_loaded) return percentiles_text(m);
  if (name == metric::throughput) return one_at_a_time(r);
  if (const std::string energy = energy_text(name, r); !energy.empty()) return energy;
  return copy_text(name, r);
}

std::string label_line(std::string_view label, const std::string& text) {
  return text.empty() ? "" : padded(label, kLabelWidth) + text + "\n";
}

std::string time_text(double ns) {
  const Figure f = figure(ns, unit::ns);
  return fmt::format("{} {}", f.number, f.unit);
}

std::string spread_text(const Metric& m, const Record& r) {
  if (m.n < 2 || m.max <= 0) return {};
  std::vector<std::string> parts{fmt::format("min {}", time_text(m.min))};
  if (m.mean) parts.push_back(fmt::format("mean {}", time_text(m.mean->value)));
  if (r.launches.empty()) parts.push_back(fmt::format("σ {}", time_text(m.stddev)));  // launches have none in common
  parts.push_back(fmt::format("max {}", time_text(m.max)));
  return fmt::format("{}", fmt::join(parts, "   "));
}

std::string counts_text(const Metric& m, const Record& r) {
  const std::uint64_t before = r.startup.warmup_requests.value_or(0);
  const std::string counted = fmt::format("{} counted", format_count(m.n));
  if (r.window_ns <= 0) return fmt::format("{}, {} left out", counted, format_count(before));
  return fmt::format("{} in {}, after {} of warm-up", counted, format_time(r.window_ns), format_count(before));
}

std::string startup_text(const Startup& s) {
  std::vector<std::string> parts;
  if (s.load_ns.value_or(0) > 0) parts.push_back(fmt::format("load {}", format_time(*s.load_ns)));
  if (s.first_ns) parts.push_back(fmt::format("first request {}", format_time(*s.first_ns)));
  return fmt::format("{}", fmt::join(parts, "   "));
}

// What a request computes and moves, and the rates that makes, beside this device's own measured best.
std::string work_text(const Record& r) {
  const Metric* time = r.find(metric::device_time) ? r.find(metric::device_time) : r.find(metric::span);
  const auto& work = r.observations.work;
  if (!work || !time || time->estimate.value <= 0) return {};
  const auto rate = [&](double amount, double scale, const char* unit, const char* best) {
    const double x = amount / time->estimate.value * scale;
    const auto peak = r.device.calibration.find(best);
    const std::string of =
        peak == r.device.calibration.end()
            ? ""
            : fmt::format(" ({} of this device's {:.0f})", format_percent(x / peak->second), peak->second);
    return fmt::format("{:.3g} {}{}", x, unit, of);
  };
  std::vector<std::string> parts;
  if (work->flops.value_or(0) > 0)
    parts.push_back(
        fmt::format("{:.3g} GFLOP, {}", *work->flops * 1e-9, rate(*work->flops, 1e-3, "TFLOP/s", "gemm_tflops")));
  if (work->least_bytes.value_or(0) > 0)
    parts.push_back(fmt::format("at least {:.3g} MB, {}", *work->least_bytes * 1e-6,
                                rate(*work->least_bytes, 1, "GB/s", "copy_gbps")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

// Where the uncertainty comes from, and how little of it one launch sees.
std::string explained_uncertainty(const std::string& name, const Record& r, const Painter& p) {
  const std::string sources = uncertainty_text(name, r);
  if (sources.empty()) return {};
  double within = 0;
  for (const Case& c : r.launches) {
    if (const Metric* x = known_metric(c.metrics, name))
      within = std::max(within, x->estimate.relative_half_width().value_or(0));
  }
  const LaunchWords words = launch_words(r);
  const std::string inside =
      within > 0 ? fmt::format("; within a {} at most ±{}", words.one, format_percent(within)) : "";
  return std::string(kLabelWidth, ' ') +
         p.faint(fmt::format("uncertainty (σ of the next {}): {}{}", words.one, sources, inside)) + "\n";
}

}  // namespace

std::string metric_lines(const Record& r, const RenderOptions& o, const Painter& p) {
  std::vector<const Metrics::value_type*> order = in_order(r.metrics);
  std::erase_if(order, [&](const auto* m) { return !is_headline(m->first, o.explain); });
  std::vector<MetricLine> lines;
  // One launch is said once, in the head line.
  const auto standing = [&](const Metric& m) { return r.launches.empty() ? "" : standing_text(m); };
  std::size_t number = 0, unit = 0, interval = 0, word = 0;
  for (const auto* m : order) {
    const bool known = m->second.known();
    lines.push_back({title_of(m->first), known ? figure(m->second.estimate, m->second.unit) : Figure{},
                     known ? standing(m->second) : "", known ? rest_of(m->first, m->second, r) : ""});
    word = std::max(word, width(lines.back().standing));
    number = std::max(number, width(lines.back().figure.number));
    unit = std::max(unit, width(lines.back().figure.unit));
    interval = std::max(interval, width(lines.back().figure.interval));
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const MetricLine& line = lines[i];
    std::string s = padded(line.label, kLabelWidth);
    if (!order[i]->second.known())
      s += fmt::format("unknown: {}", order[i]->second.unknown);
    else
      s += p.bold(padded(line.figure.number, number, true)) + " " + padded(line.figure.unit, unit) + "  " +
           padded(line.figure.interval, interval) + "   " + (word > 0 ? padded(line.standing, word) + "   " : "") +
           line.rest;
    while (s.ends_with(' ')) s.pop_back();
    text += s + "\n";
    const std::string_view definition = definition_of(order[i]->first, r);
    if (o.explain && !definition.empty()) text += std::string(kLabelWidth, ' ') + p.faint(definition) + "\n";
    if (o.explain) text += explained_uncertainty(order[i]->first, r, p);
  }
  return text;
}

std::string detail_lines(const Record& r) {
  const Metric* m = r.headline();
  std::string text;
  if (m) {
    text += label_line("percentiles", percentiles_text(*m));
    text += label_line("spread", spread_text(*m, r));
    text += label_line("requests", counts_text(*m, r));
  }
  text += label_line("startup", startup_text(r.startup));
  text += launches_line(r);
  return text + label_line("work", work_text(r));
}

std::string show_measurement(const Record& r, const RenderOptions& o, const Painter& p) {
  if (!r.cases.empty()) return head_line(r, p) + sweep_table(r) + verdict_lines(r, o, p);
  const std::string lines = r.metrics.empty() ? "nothing was measured\n" : metric_lines(r, o, p);
  const auto& cpus = r.observations.cpus;
  const std::string where = o.explain && cpus ? label_line("CPU", cpus_text(*cpus)) : "";
  return head_line(r, p) + lines + idle_table(r, o.explain, p) + verdict_lines(r, o, p) + detail_lines(r) + where +
         (o.explain ? typical_request_text(r) : "");
}

}  // namespace strobe

#include "report/text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/names.h"
#include "report/cases_text.h"
#include "report/pipeline_text.h"
#include "report/table.h"

namespace strobe {
namespace {

constexpr std::size_t kLabel = 13;  // "replay time" and two blanks

class Painter {
 public:
  explicit Painter(bool color) : color_(color) {}
  std::string paint(std::string_view text, const char* code) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  std::string bold(std::string_view text) const { return paint(text, "1"); }
  std::string faint(std::string_view text) const { return paint(text, "2"); }
  std::string of(Verdict v, std::string_view text) const {
    return paint(text, v == Verdict::trusted ? "32" : v == Verdict::caution ? "33" : "31");
  }

 private:
  bool color_;
};

std::string head_line(const Record& r, const Painter& p) {
  std::vector<std::string> parts;
  if (!r.model.inputs.empty()) {
    const TensorInfo& in = r.model.inputs.front();
    if (!in.shape.empty()) parts.push_back(fmt::format("batch {}", in.shape.front()));
    if (in.shape.size() > 1) parts.push_back(format_shape({in.shape.begin() + 1, in.shape.end()}));
    if (in.type != "f32") parts.push_back(in.type);
    if (r.model.inputs.size() > 1) parts.push_back(fmt::format("{} inputs", r.model.inputs.size()));
  }
  if (!r.model.runtime.empty() && r.model.runtime != "strobe")
    parts.push_back(r.model.runtime + (r.model.runtime_version.empty() ? "" : " " + r.model.runtime_version));
  std::string device = r.device.kind == "cpu" || r.device.kind == "simulated"
                           ? r.device.kind
                           : fmt::format("{} {}", r.device.kind, r.device.name);
  if (const auto chosen = r.settings.find("device_chosen");
      chosen != r.settings.end() && std::get_if<bool>(&chosen->second) && std::get<bool>(chosen->second))
    device += " (auto)";
  if (r.device.kind != "unknown") parts.push_back(device);
  if (const auto threads = r.settings.find("threads"); threads != r.settings.end()) {
    const auto n = std::get<std::int64_t>(threads->second);
    parts.push_back(fmt::format("{} thread{}", n, n == 1 ? "" : "s"));
  }
  return fmt::format("{}  {}\n", p.bold(r.model.name), fmt::join(parts, " · "));
}

std::string percentile_text(const Percentile& q, std::string_view unit) {
  const std::string label = fmt::format("p{:g}", 100 * q.p);
  if (!q.estimate) return fmt::format("{} needs {} requests", label, format_count(q.needs.value_or(0)));
  const Figure f = figure(q.estimate->value, unit, q.estimate->low, q.estimate->high);
  return fmt::format("{} {} {}{}", label, f.number, f.unit, f.interval.empty() ? "" : " " + f.interval);
}

struct Row {
  std::string label;
  Figure figure;
  std::string rest;
};

Row row_of(const std::string& name, const Metric& m, const Record& r) {
  const MetricWord* word = metric_word(name);
  Row row{std::string(word ? word->title : std::string_view(name)),
          figure(m.median.value, m.unit, m.median.low, m.median.high),
          {}};
  std::vector<std::string> parts;
  if (name == "latency" || name == "latency_loaded" || name == "reading") {
    for (const Percentile& q : m.percentiles) parts.push_back(percentile_text(q, m.unit));
  }
  if (name == "latency") {
    parts.push_back(fmt::format("n {}", format_count(m.n)));
    parts.push_back(fmt::format("{} window, steady after {}", format_time(r.window_ns),
                                format_count(r.startup.warmup_requests.value_or(0))));
  }
  if (name == "reading")
    parts.push_back(
        fmt::format("n {} after {} left out", format_count(m.n), format_count(r.startup.warmup_requests.value_or(0))));
  row.rest = fmt::format("{}", fmt::join(parts, "   "));
  return row;
}

// Shown by default; `submit` and `period` are one --explain or one JSON away.
bool is_headline(std::string_view metric, bool explain) {
  return explain || (metric != "period" && metric != "latency_loaded");
}

std::string figures(const Record& r, const RenderOptions& o, const Painter& p) {
  std::vector<const Metrics::value_type*> order;
  for (const auto& m : r.metrics) {
    if (is_headline(m.first, o.explain)) order.push_back(&m);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return metric_order(a->first) < metric_order(b->first); });
  std::vector<Row> rows;
  std::size_t number = 0, unit = 0, interval = 0;
  for (const auto* m : order) {
    rows.push_back(m->second.known()
                       ? row_of(m->first, m->second, r)
                       : Row{std::string(metric_word(m->first) ? metric_word(m->first)->title : m->first), {}, {}});
    number = std::max(number, width(rows.back().figure.number));
    unit = std::max(unit, width(rows.back().figure.unit));
    interval = std::max(interval, width(rows.back().figure.interval));
  }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    std::string line = padded(row.label, kLabel);
    if (!order[i]->second.known())
      line += fmt::format("unknown: {}", order[i]->second.unknown);
    else
      line += p.bold(padded(row.figure.number, number, true)) + " " + padded(row.figure.unit, unit) + "  " +
              padded(row.figure.interval, interval) + "   " + row.rest;
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
    const MetricWord* word = metric_word(order[i]->first);
    if (o.explain && word) text += std::string(kLabel, ' ') + p.faint(word->definition) + "\n";
  }
  return text;
}

// What a request computes and moves, and the rates that makes, beside this device's own measured best.
std::string work_line(const Record& r) {
  const Metric* time = r.find("device_time") ? r.find("device_time") : r.find("span");
  const auto& work = r.observations.work;
  if (!work || !time || time->median.value <= 0) return {};
  const auto rate = [&](double amount, double scale, const char* unit, const char* best) {
    const double x = amount / time->median.value * scale;
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
  if (parts.empty()) return {};
  return padded("work", kLabel) + fmt::format("{}\n", fmt::join(parts, "; "));
}

std::string verdict_lines(const Record& r, const Painter& p) {
  std::string text = padded("verdict", kLabel) + p.of(r.verdict, name(r.verdict));
  if (r.status == Status::interrupted)
    text += r.status_reason.empty() ? " (interrupted: this is what there was)"
                                    : fmt::format(" (this is what there was before it failed: {})", r.status_reason);
  text += "\n";
  for (const Finding& f : r.findings) {
    const bool advice = f.about == About::workload || f.severity == Severity::note;
    text += padded(advice ? (f.about == About::workload ? "advice" : "note") : std::string(name(f.severity)), kLabel);
    text += fmt::format("{}: {}. {}\n", f.id, f.message, f.advice);
  }
  return text;
}

}  // namespace

std::string render_text(const Record& r, const RenderOptions& o) {
  const Painter p(o.color);
  if (r.verb == "doctor") return doctor_table(r) + verdict_lines(r, p);
  if (r.verb == "selftest") return selftest_table(r);
  if (r.verb == "methods") return head_line(r, p) + methods_table(r) + verdict_lines(r, p);
  // The cases of a sweep carry the names of its points, and are one row each.
  const bool swept = !r.cases.empty() && std::none_of(r.cases.begin(), r.cases.end(),
                                                      [](const Case& c) { return c.name == "undisturbed"; });
  if (r.verb == "pipeline" && !swept) return head_line(r, p) + pipeline_text(r) + verdict_lines(r, p);
  if (!r.cases.empty()) return head_line(r, p) + sweep_table(r) + verdict_lines(r, p);
  std::string text = head_line(r, p) + figures(r, o, p);
  if (r.metrics.empty()) text += "nothing was measured\n";
  return text + work_line(r) + verdict_lines(r, p);
}

std::string text(const Record& r) {
  return render_text(r, {});
}

}  // namespace strobe

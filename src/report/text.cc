#include "report/text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/format.h"
#include "record/names.h"
#include "report/cases_text.h"
#include "report/comparison_text.h"
#include "report/pipeline_text.h"
#include "report/table.h"
#include "report/throughput_text.h"
#include "report/words.h"

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
  return fmt::format("{}  {}\n", p.bold(r.model.name), fmt::join(subject(r), " · "));
}

std::string percentile_text(const Percentile& q, std::string_view unit) {
  const std::string label = percentile_label(q.p);
  if (!q.estimate) return fmt::format("{} needs {} requests", label, format_count(q.needs.value_or(0)));
  const Figure f = figure(*q.estimate, unit);
  return fmt::format("{} {} {}{}", label, f.number, f.unit, f.interval.empty() ? "" : " " + f.interval);
}

struct Row {
  std::string label;
  Figure figure;
  std::string rest;
};

Row row_of(const std::string& name, const Metric& m, const Record& r) {
  Row row{title_of(name), figure(m.median, m.unit), {}};
  std::vector<std::string> parts;
  if (name == "latency" || name == "latency_loaded" || name == "reading") {
    for (const Percentile& q : m.percentiles) parts.push_back(percentile_text(q, m.unit));
  }
  if (name == "latency") {
    parts.push_back(fmt::format("n {}", format_count(m.n)));
    parts.push_back(r.launches.empty() ? fmt::format("{} window, steady after {}", format_time(r.window_ns),
                                                     format_count(r.startup.warmup_requests.value_or(0)))
                                       : fmt::format("{} launches", r.launches.size()));
  }
  if (const std::string copied = copy_text(name, r); !copied.empty()) parts.push_back(copied);
  if (name == "reading")
    parts.push_back(
        fmt::format("n {} after {} left out", format_count(m.n), format_count(r.startup.warmup_requests.value_or(0))));
  row.rest = fmt::format("{}", fmt::join(parts, "   "));
  return row;
}

// Shown by default; the others are one --explain or one JSON away.
bool is_headline(std::string_view metric, bool explain) {
  return explain || (metric != "period" && metric != "latency_loaded" && metric != "union_time");
}

std::string figures(const Record& r, const RenderOptions& o, const Painter& p) {
  std::vector<const Metrics::value_type*> order = in_order(r.metrics);
  std::erase_if(order, [&](const auto* m) { return !is_headline(m->first, o.explain); });
  std::vector<Row> rows;
  std::size_t number = 0, unit = 0, interval = 0;
  for (const auto* m : order) {
    rows.push_back(m->second.known() ? row_of(m->first, m->second, r) : Row{title_of(m->first), {}, {}});
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

// What the figures of a search or a pipeline are.
std::string explained(std::initializer_list<std::string_view> metrics, std::string_view how, const Painter& p) {
  std::string text = "\n";
  for (const std::string_view m : metrics) {
    if (const MetricWord* word = metric_word(m)) text += padded(word->title, kLabel) + p.faint(word->definition) + "\n";
  }
  return text + p.faint(how) + "\n";
}

constexpr std::string_view kRateFormula =
    "The rate is batch × Σ(completions − 1) / Σ(last − first completion) over stretches in which every queue was full: "
    "completions while queues filled or ran empty are left out at both ends.";
constexpr std::string_view kPipelineWays =
    "undisturbed: no clock but around the iteration; naive: host clock around each stage; sync: the same with a wait "
    "for the "
    "device before and after each; event: marks on the streams, read after the turn. Turns of all four alternate.";

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

// How far launches lie apart: what a single one does not tell.
std::string launches_line(const Record& r) {
  std::vector<double> medians;
  for (const Case& c : r.launches) {
    if (const auto it = c.metrics.find("latency"); it != c.metrics.end() && it->second.known())
      medians.push_back(it->second.median.value);
  }
  if (medians.empty()) return {};
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  return padded("launches", kLabel) + fmt::format("latency from {} to {}, {} apart\n", format_time(*low),
                                                  format_time(*high), format_percent(*high / *low - 1));
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
  if (r.verb == "throughput") {
    const std::string how = o.explain ? explained({"throughput", "latency_loaded"}, kRateFormula, p) : "";
    return head_line(r, p) + throughput_text(r) + how + verdict_lines(r, p);
  }
  if (r.verb == "compare") return comparison_table(r) + verdict_lines(r, p);
  // The cases of a sweep carry the names of its points, and are one row each.
  const bool swept = !r.cases.empty() && std::none_of(r.cases.begin(), r.cases.end(),
                                                      [](const Case& c) { return c.name == "undisturbed"; });
  if (r.verb == "pipeline" && !swept) {
    const std::string how =
        o.explain ? explained({"submit", "device_time", "waiting", "union_time"}, kPipelineWays, p) : "";
    return head_line(r, p) + pipeline_text(r) + how + verdict_lines(r, p);
  }
  if (!r.cases.empty()) return head_line(r, p) + sweep_table(r) + verdict_lines(r, p);
  std::string text = head_line(r, p) + figures(r, o, p);
  if (r.metrics.empty()) text += "nothing was measured\n";
  return text + launches_line(r) + work_line(r) + verdict_lines(r, p);
}

std::string text(const Record& r) {
  return render_text(r, {});
}

}  // namespace strobe

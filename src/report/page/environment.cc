// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/answer_scalars.h"
#include "record/names.h"
#include "report/cpus_text.h"
#include "report/page/sections.h"
#include "report/study_view.h"
#include "report/words.h"

namespace strobe::page {
namespace {

// The end of a key says what a number is.
std::string amount(std::string_view key, double x) {
  if (key.ends_with("_ns")) return format_time(x);
  if (key.ends_with("_bytes") && x >= 0) return format_bytes(Bytes{static_cast<std::uint64_t>(x)});
  return std::fabs(x) < 1e15 && x == std::floor(x) ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x);
}

std::string words_of(std::string_view key, const Scalar& value) {
  if (const auto* x = std::get_if<double>(&value)) return amount(key, *x);
  if (const auto* x = std::get_if<std::int64_t>(&value)) return amount(key, static_cast<double>(*x));
  return scalar_text(value);
}

class Facts {
 public:
  explicit Facts(std::string caption) : cells_{std::move(caption), {}, "ll"} {}
  void add(std::string_view key, std::string_view value) {
    if (!value.empty()) cells_.rows.push_back({escaped(key), escaped(value)});
  }
  void add(const Scalars& facts) {
    for (const auto& [key, value] : facts) add(key, words_of(key, value));
  }
  std::string html() const { return cells_.rows.empty() ? "" : render(cells_); }

 private:
  Cells cells_;
};

std::string run_facts(const Record& r) {
  Facts f("This measurement");
  f.add("command", fmt::format("{}", fmt::join(r.command, " ")));
  f.add("started at", r.started_at);
  if (r.duration_ns > 0) f.add("duration", format_time(r.duration_ns));
  f.add("strobe", fmt::format("{} ({}, {}, {})", r.strobe.version, r.strobe.commit, r.strobe.build, r.strobe.compiler));
  if (r.startup.load_ns) f.add("load", format_time(*r.startup.load_ns));
  if (r.startup.first_ns) f.add("first request", format_time(*r.startup.first_ns));
  if (r.startup.warmup_ns)
    f.add("warm-up", fmt::format("{}, {}", format_time(*r.startup.warmup_ns),
                                 counted(r.startup.warmup_requests.value_or(0), "request", "requests")));
  return f.html();
}

std::string tensors(const std::vector<TensorInfo>& list) {
  std::string out;
  for (const TensorInfo& t : list)
    out += fmt::format("{}{} {} {}{}", out.empty() ? "" : "; ", t.name, t.type, format_shape(t.shape),
                       t.source.empty() ? "" : ", " + t.source);
  return out;
}

std::string model_facts(const Record& r) {
  Facts f("Model");
  f.add("path", r.model.path);
  f.add("SHA-256", r.model.sha256);
  for (const ModelFile& file : r.model.files) f.add("SHA-256 of " + file.name, file.sha256);
  f.add("runtime", fmt::format("{} {}", r.model.runtime, r.model.runtime_version));
  f.add("inputs", tensors(r.model.inputs));
  f.add("outputs", tensors(r.model.outputs));
  if (r.model.parameters) f.add("parameters", format_count(*r.model.parameters));
  f.add(r.model.facts);
  return r.model.path.empty() && r.model.name.empty() ? "" : f.html();
}

std::string device_facts(const Record& r) {
  Facts f("Device");
  f.add("kind", r.device.kind);
  f.add("name", r.device.name);
  f.add(r.device.facts);
  for (const auto& [key, value] : r.device.calibration) f.add("calibration: " + key, amount(key, value));
  for (const auto& [pass, mhz] : r.observations.clocks_per_pass)
    f.add("clock, " + full_title(pass), fmt::format("{:.4g} MHz", mhz));
  return f.html();
}

std::string observed(const Record& r) {
  Facts f("Observed");
  const Observations& o = r.observations;
  if (o.gate) f.add("gate", o.gate->used ? "used" : "not used: " + o.gate->why_not);
  if (o.outputs)
    f.add("outputs", fmt::format("{}, {}, {}", o.outputs->finite ? "finite" : "NOT FINITE",
                                 o.outputs->repeatable ? "repeatable" : "NOT REPEATABLE",
                                 o.outputs->distinct ? "distinct" : "equal for different inputs"));
  if (o.escaped_ns) f.add("work after the end mark", format_time(*o.escaped_ns));
  if (o.cpus) f.add("measuring thread", cpus_text(*o.cpus));
  if (o.host_numa_node) f.add("host NUMA node", fmt::format("{}", *o.host_numa_node));
  if (o.requests_per_block) f.add("requests in a block", format_count(*o.requests_per_block));
  if (o.input_sets) f.add("input sets", format_count(*o.input_sets));
  if (o.kernels_per_request) f.add("kernels per request", fmt::format("{:.3g}", *o.kernels_per_request));
  if (o.allocations_per_request) f.add("allocations per request", fmt::format("{:.3g}", *o.allocations_per_request));
  if (o.work && o.work->flops) f.add("operations per request", fmt::format("{:.3g} GFLOP", *o.work->flops * 1e-9));
  if (o.new_input_ratio) f.add("inputs not seen before", fmt::format("take {:.3g} times as long", *o.new_input_ratio));
  if (const auto& off = r.pipeline.timeline_uncertainty_ns) f.add("time line", fmt::format("±{}", format_time(*off)));
  if (const auto& off = o.timeline_uncertainty_ns) f.add("time line", fmt::format("±{}", format_time(*off)));
  f.add(r.telemetry.facts);
  return f.html();
}

std::string named(const char* caption, const Scalars& facts) {
  Facts f(caption);
  f.add(facts);
  return f.html();
}

}  // namespace

std::string environment_section(const Record& r, const Outline& o) {
  return "<section>" + o.heading(1, "Environment and settings") +
         fmt::format(
             R"(<details class="print"{}><summary>Machine, device, model, settings</summary><div class="facts">)",
             study_view(r).opens_environment ? " open" : "") +
         run_facts(r) + model_facts(r) + named("Settings", r.settings) + named("Answer", scalars_of(r.answer)) +
         device_facts(r) + named("Host", r.host) + observed(r) + "</div></details></section>\n";
}

std::string record_section(const Record& r, const Outline& o, int number) {
  std::string name;
  for (const char c : name_of(r)) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return fmt::format(
      "<section>{}<p>The whole record is in this page: in its source, in the element <code>record-{}</code>, and to be "
      "saved "
      "by this button where scripts may run.</p><p><button type=\"button\" data-record=\"record-{}\" "
      "data-name=\"{}.json\" "
      "hidden>Save the record</button></p><script type=\"application/json\" id=\"record-{}\">{}</script></section>\n",
      o.heading(1, "Record"), number, number, name.substr(0, 80), number, embedded_json(json(r)));
}

}  // namespace strobe::page

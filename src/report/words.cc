// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/foreign_times.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "record/precision.h"
#include "record/scalars.h"
#include "record/study_info.h"

namespace strobe {
namespace {

void add_inputs(std::vector<std::string>& parts, const ModelInfo& model, bool batch) {
  if (model.inputs.empty()) return;
  const TensorInfo& in = model.inputs.front();
  if (!in.shape.empty() && batch) parts.push_back(fmt::format("batch {}", in.shape.front()));
  if (in.shape.size() > 1) parts.push_back(format_shape({in.shape.begin() + 1, in.shape.end()}));
  const auto math = fact<std::string>(model.facts, "math").value_or("");
  std::string type = in.type;
  if (type == "f32" && (math == "bfloat16" || math == "float16"))
    type += fmt::format(" (computed in {})", math);
  else if (type == "f32" && allows_tf32(model))
    type += " (TF32 allowed)";
  parts.push_back(std::move(type));
  if (model.inputs.size() > 1) parts.push_back(fmt::format("{} inputs", model.inputs.size()));
}

std::string device_text(const Record& r) {
  const bool plain = r.device.kind == "cpu" || r.device.kind == "simulated";
  const std::string device = plain ? r.device.kind : fmt::format("{} {}", r.device.kind, r.device.name);
  return device + (fact<bool>(r.settings, "device_chosen").value_or(false) ? " (auto)" : "");
}

struct CacheFact {
  std::string_view name;
  std::int64_t bytes;
};

// The last-level cache. That of a CPU is the host's.
std::optional<CacheFact> cache_of(const Record& r) {
  if (const auto l2 = fact<std::int64_t>(r.device.facts, "l2_bytes")) return CacheFact{"L2", *l2};
  const Scalars& facts = r.device.kind == "cpu" ? r.host : r.device.facts;
  if (const auto bytes = fact<std::int64_t>(facts, "cache_bytes")) return CacheFact{"the cache", *bytes};
  return std::nullopt;
}

// Requests rotate over inputs that stay in the cache: what reads them finds them there, unless it is flushed.
bool has_hot_inputs(const Record& r, const CacheFact& cache) {
  const auto bytes = r.observations.input_bytes;
  return bytes && fact<std::string>(r.settings, "cache") == "hot" && *bytes <= static_cast<std::uint64_t>(cache.bytes);
}

bool has_inputs_beyond(const Record& r, const CacheFact& cache) {
  constexpr std::uint64_t kTimes = 2;  // as --input-sets cache has it
  const auto bytes = r.observations.input_bytes;
  return bytes && *bytes >= kTimes * static_cast<std::uint64_t>(cache.bytes);
}

// Of the sets that were asked for, where their number is known: of several results each may have another.
std::string sets_text(const Record& r, const Scalar& asked) {
  const auto* number = std::get_if<std::int64_t>(&asked);
  if (!r.observations.input_sets && !number) return "inputs";
  return counted(r.observations.input_sets.value_or(number ? static_cast<std::uint64_t>(*number) : 0), "input set",
                 "input sets");
}

// Those asked for, else those that the runtime says it uses.
std::optional<std::int64_t> threads_of(const Record& r) {
  const auto asked = fact<std::int64_t>(r.settings, "threads");
  return asked || r.device.kind != "cpu" ? asked : fact<std::int64_t>(r.model.facts, "threads");
}

}  // namespace

std::string inputs_text(const Record& r) {
  const auto cache = cache_of(r);
  const auto asked = r.settings.find("input_sets");
  const bool hot = cache && has_hot_inputs(r, *cache);
  // On a CPU whoever makes an input has just written it: that it is in the cache is what everybody has.
  if (asked == r.settings.end())
    return hot && r.device.kind != "cpu" ? fmt::format("inputs hot in {}", cache->name) : "";
  const std::string text = sets_text(r, asked->second);
  if (hot) return fmt::format("{} hot in {}", text, cache->name);
  const bool cold_anyway = std::holds_alternative<std::string>(asked->second) && !r.observations.input_bytes;
  if (!cold_anyway && !(cache && has_inputs_beyond(r, *cache))) return text;
  return fmt::format("{} beyond {}", text, cache ? cache->name : "the cache");
}

std::string scalar_text(const Scalar& value) {
  struct {
    std::string operator()(bool x) const { return x ? "yes" : "no"; }
    std::string operator()(std::int64_t x) const { return fmt::format("{}", x); }
    std::string operator()(double x) const { return fmt::format("{:.4g}", x); }
    std::string operator()(const std::string& x) const { return x; }
  } visitor;
  return std::visit(visitor, value);
}

std::string setting(const Scalars& settings, std::string_view key) {
  const auto it = settings.find(key);
  return it == settings.end() ? "" : scalar_text(it->second);
}

std::string title_of(std::string_view metric) {
  return metric_label(metric);
}

std::string full_title(std::string_view metric) {
  std::string title(metric);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::string_view definition_of(std::string_view metric, const Record& r) {
  if (const auto theirs = foreign_definition(r.model.runtime, metric); study_info(r).foreign && !theirs.empty())
    return theirs;
  const MetricInfo* info = metric_info(metric);
  return info ? info->definition : std::string_view{};
}

std::string relative_text(double change) {
  const double p = 100 * change;
  if (std::fabs(p) < 0.05) return "0 %";
  return fmt::format("{:+.{}f} %", p, std::fabs(p) < 9.95 ? 1 : 0);
}

std::string difference_text(const Case& c) {
  return c.difference ? relative_text(*c.difference) : "";
}

std::string percentile_label(double p) {
  return fmt::format("p{:.10g}", 100 * p);
}

std::vector<std::string> subject(const Record& r) {
  std::vector<std::string> parts;
  add_inputs(parts, r.model, !study_info(r).varies_batch);
  if (!r.model.runtime.empty() && r.model.runtime != "strobe")
    parts.push_back(r.model.runtime + (r.model.runtime_version.empty() ? "" : " " + r.model.runtime_version));
  if (r.device.kind != "unknown") parts.push_back(device_text(r));
  if (const std::string inputs = inputs_text(r); !inputs.empty() && !compares_candidates(r)) parts.push_back(inputs);
  if (const auto how = fact<std::string>(r.model.facts, "note"); how && study_info(r).foreign) parts.push_back(*how);
  if (const auto threads = threads_of(r); threads && !compares_candidates(r))
    parts.push_back(fmt::format("{} thread{}", *threads, *threads == 1 ? "" : "s"));
  if (study_info(r).stands && r.launches.empty() && !r.metrics.empty()) parts.push_back("one launch");
  if (r.one_process) parts.push_back(launches_phrase(r));
  return parts;
}

std::string launches_phrase(const Record& r) {
  if (r.launches.empty()) return {};
  return fmt::format("{} {}{}", r.launches.size(), launch_words(r).many, r.one_process ? " in one process" : "");
}

std::vector<const Metrics::value_type*> in_order(const Metrics& metrics) {
  std::vector<const Metrics::value_type*> order;
  for (const auto& m : metrics) order.push_back(&m);
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return metric_order(a->first) < metric_order(b->first); });
  return order;
}

std::vector<Comparison> in_order(std::vector<Comparison> list) {
  std::stable_sort(list.begin(), list.end(), [](const Comparison& a, const Comparison& b) {
    return metric_order(a.metric) < metric_order(b.metric);
  });
  return list;
}

Comparison leading(const std::vector<Comparison>& list) {
  const std::vector<Comparison> all = in_order(list);
  const auto it = std::find_if(all.begin(), all.end(), [](const Comparison& c) { return !is_noise_floor(c); });
  return it == all.end() ? all.front() : *it;
}

std::string name_of(const Record& r) {
  if (!compares_candidates(r)) return r.model.name.empty() ? "strobe " + r.verb : r.model.name;
  const Comparison c = leading(r.comparisons);
  const std::string both = fmt::format("{} against {}", c.b, c.a);
  const bool said = r.model.name.empty() || both.find(r.model.name) != std::string::npos;
  return said ? both : fmt::format("{}: {}", r.model.name, both);
}

const Metric* known_metric(const Metrics& metrics, std::string_view name) {
  const auto it = metrics.find(name);
  return it != metrics.end() && it->second.known() ? &it->second : nullptr;
}

std::string copy_text(std::string_view metric, const Record& r) {
  const Metric* m = r.find(metric);
  const MetricInfo* info = metric_info(metric);
  if (!m || !info || info->transfer == Transfer::none) return {};
  const bool in = info->transfer == Transfer::in;
  const auto bytes = in ? r.observations.copied_in_bytes : r.observations.copied_out_bytes;
  if (!bytes || m->estimate.value <= 0) return {};
  const double gbps = static_cast<double>(*bytes) / m->estimate.value;
  std::string text = fmt::format("{}, {:.3g} GB/s", format_bytes(Bytes{*bytes}), gbps);
  if (const auto best = r.device.calibration.find(in ? "copy_in_gbps" : "copy_out_gbps");
      best != r.device.calibration.end())
    text += fmt::format(" ({} of this machine's {:.3g})", format_percent(gbps / best->second), best->second);
  // Only Strobe's own end to end consists of these copies, from and to pinned memory.
  const bool inside = !info->pageable && setting(r.settings, "io") != "runtime";
  if (const Metric* all = r.find(metric::end_to_end); all && inside)
    text += fmt::format(", {} of end to end", format_percent(m->estimate.value / all->estimate.value));
  return text;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "report/idle_answer.h"

#include <fmt/format.h>

#include "record/idle_words.h"
#include "record/metric_names.h"
#include "report/words.h"

namespace strobe {
namespace {

template <class T>
std::string change(const std::optional<T>& before, const std::optional<T>& after, std::string_view prefix = {}) {
  if (!before || !after) return {};
  const std::string from = fmt::format("{}{:.0f}", prefix, static_cast<double>(*before)),
                    to = fmt::format("{}{:.0f}", prefix, static_cast<double>(*after));
  return from == to ? to : fmt::format("{} → {}", from, to);
}

std::string power_text(const IdleResult& r) {
  std::vector<std::string> parts;
  const std::string state = change(r.before.pstate, r.after.pstate, "P"),
                    device = change(r.before.device_mhz, r.after.device_mhz),
                    cpu = change(r.before.cpu_mhz, r.after.cpu_mhz);
  if (!state.empty()) parts.push_back(state);
  if (!device.empty()) parts.push_back(device + " MHz");
  if (!cpu.empty()) parts.push_back(fmt::format("CPU {} MHz", cpu));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string known_percentiles(const Metric& m) {
  std::vector<std::string> parts;
  for (const Percentile& p : m.percentiles) {
    if (p.estimate) parts.push_back(fmt::format("{} {}", percentile_label(p.p), format_time(p.estimate->value)));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

IdleLine line_of(const IdleResult& r) {
  IdleLine line{.label = idle_label(r.pause_ns, r.random), .unknown = "it was not measured"};
  const auto latency = r.metrics.find(metric::latency);
  if (latency != r.metrics.end()) line.unknown = latency->second.unknown;
  if (!line.unknown.empty()) return line;
  const Metric& m = latency->second;
  line.latency = figure(m.estimate, m.unit);
  if (r.difference) line.difference = relative_text(*r.difference);
  line.percentiles = known_percentiles(m);
  line.requests = counted(m.n, "request", "requests");
  line.power = power_text(r);
  return line;
}

}  // namespace

std::vector<IdleLine> idle_lines(const Record& r) {
  std::vector<IdleLine> lines;
  for (const IdleResult& i : r.idle) lines.push_back(line_of(i));
  return lines;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "verdict/standing.h"

#include <algorithm>

#include "record/deciding.h"
#include "record/metric_info.h"
#include "record/names.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

bool counts_against(const Finding& f, std::string_view metric, const Record& r) {
  return f.about != About::workload && f.severity != Severity::note && hits(f, metric, r);
}

// What moves a metric is what its launches saw, the strongest first; where the host is what the device waits for, it is
// the host.
std::string cause_of(std::string_view metric, const Record& r) {
  const MetricInfo* info = metric_info(metric);
  for (const Finding& f : r.findings) {
    const Traits traits = traits_of(f);
    const bool explains = (traits.within_launch || !f.metric.empty()) && !traits.of_interval;  // or a trend of its own
    if (explains && f.severity != Severity::note && hits(f, metric, r)) return f.id;
  }
  const bool by_host = waits_for_host(r) && info && !info->of_device;
  const auto host = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    return f.about == About::workload && traits_of(f).hits == Hits::host;
  });
  if (by_host && host != r.findings.end()) return host->id;
  const auto seen = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    const Traits traits = traits_of(f);
    return traits.within_launch && !traits.of_interval && hits(f, metric, r);
  });
  return seen == r.findings.end() ? "" : seen->id;
}

// Loads in one process know nothing about the next process, however alike they are.
Repeat word_for(bool within, const Record& r) {
  if (r.one_process) return within ? Repeat::repeats_over_loads : Repeat::varies_over_loads;
  return within ? Repeat::repeats : Repeat::varies;
}

Standing standing_of(std::string_view name, const Metric& m, const Record& r, const std::optional<double>& margin) {
  Standing s;
  const auto invalid = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) {
    return f.severity == Severity::invalid && counts_against(f, name, r);
  });
  if (invalid != r.findings.end()) return {Repeat::invalid, {}, invalid->id};
  if (!margin || !m.launch_spread) return s;
  // Nothing is a share of 0; what was 0 in every launch comes back.
  if (m.estimate.value == 0 && *m.launch_spread == 0) return {Repeat::repeats, 0.0, {}};
  s.half_width = m.level_half_width ? m.level_half_width : m.estimate.relative_half_width();
  s.word = word_for(s.half_width && *s.half_width <= *margin, r);
  if (!within_margin(s.word)) s.cause = cause_of(name, r);
  return s;
}

}  // namespace

bool concerns(Hits which, std::string_view metric, const Record& r) {
  const MetricInfo* info = metric_info(metric);
  const bool on_host = !r.device.asynchronous, of_device = info && info->of_device;
  const bool by_device = of_device || (info && info->full_queue && keeps_busy(r));
  const bool by_host = !of_device && (metric == metric::submit || waits_for_host(r));
  switch (which) {
    case Hits::all:
      return true;
    case Hits::device_time:
      return metric == metric::device_time;
    case Hits::host:
      return on_host || !by_device;
    case Hits::device:
      return on_host || !by_host;
  }
  return true;
}

bool hits(const Finding& f, std::string_view metric, const Record& r) {
  return f.metric.empty() ? concerns(traits_of(f).hits, metric, r) : f.metric == metric;
}

void tell_standings(Record& r, std::optional<double> margin) {
  for (auto& [name, m] : r.metrics) {
    m.verdict.reset();
    if (m.known()) m.verdict = standing_of(name, m, r, margin);
  }
}

Verdict verdict_of_launches(const Record& r) {
  Verdict verdict = Verdict::trusted;
  for (const std::string_view name : deciding_metrics(r)) {
    const auto& standing = r.metrics.find(name)->second.verdict;
    if (!standing || !within_margin(standing->word)) verdict = std::max(verdict, Verdict::caution);
    for (const Finding& f : r.findings) {
      if (counts_against(f, name, r))
        verdict = std::max(verdict, f.severity == Severity::invalid ? Verdict::invalid : Verdict::caution);
    }
  }
  return deciding_metrics(r).empty() ? verdict_of(r.findings) : verdict;
}

}  // namespace strobe

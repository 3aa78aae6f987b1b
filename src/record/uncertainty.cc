// SPDX-License-Identifier: Apache-2.0
#include "record/uncertainty.h"

#include <algorithm>
#include <cmath>

#include "record/names.h"
#include "stats/distributions.h"
#include "stats/launch_parts.h"

namespace strobe {
namespace {

// The number of a launch is the median of its rounds' medians.
stats::WithinLaunch within_sampled(const Metric& m) {
  const double rounds = std::max(1.0, static_cast<double>(m.facts.rounds.value_or(1)));
  const double requests = std::max(1.0, static_cast<double>(m.n) / rounds);
  stats::WithinLaunch within;
  within.requests = stats::error_of_median(stats::error_of_median(*m.facts.request_spread, requests), rounds);
  if (m.facts.round_spread) within.all = stats::error_of_median(*m.facts.round_spread, rounds);
  return within;
}

// Of a rate and a period, whose interval is Student's over rounds.
stats::WithinLaunch within_stretches(const Metric& m) {
  constexpr double kUpper = 0.975;
  const auto half = m.estimate.relative_half_width();
  stats::WithinLaunch within;
  if (half && m.n_eff > 1) within.all = *half / stats::student_t_quantile(kUpper, m.n_eff - 1);
  return within;
}

stats::WithinLaunch within_launch(const Metric& m) {
  return m.facts.request_spread ? within_sampled(m) : within_stretches(m);
}

}  // namespace

std::vector<UncertaintySource> uncertainty_sources(std::string_view metric, const Record& r) {
  const Metric* whole = r.find(metric);
  if (!whole || !whole->launch_spread) return {};
  std::vector<stats::WithinLaunch> launches;
  for (const Case& c : r.launches) {
    const auto m = c.metrics.find(metric);
    if (m == c.metrics.end() || !m->second.known()) continue;
    launches.push_back(within_launch(m->second));
  }
  const stats::LaunchParts parts = stats::launch_parts(launches, *whole->launch_spread);
  std::vector<UncertaintySource> sources;
  if (parts.requests) sources.push_back({"requests", *parts.requests});
  if (parts.rounds) sources.push_back({"rounds", *parts.rounds});
  sources.push_back({launch_words(r).many, parts.launches});
  double variance = 0;
  for (const UncertaintySource& s : sources) variance += s.deviation * s.deviation;
  if (!std::isfinite(variance)) return {};  // a stored record may hold anything
  for (UncertaintySource& s : sources) s.share = variance > 0 ? s.deviation * s.deviation / variance : 0;
  return sources;
}

const UncertaintySource* main_source(const std::vector<UncertaintySource>& sources) {
  const auto most = std::find_if(sources.begin(), sources.end(), [](const auto& s) { return s.share >= 0.5; });
  return most == sources.end() ? nullptr : &*most;
}

}  // namespace strobe

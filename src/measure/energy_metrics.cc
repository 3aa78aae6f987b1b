// SPDX-License-Identifier: Apache-2.0
#include "measure/energy_metrics.h"

#include <algorithm>
#include <cmath>

#include "base/unit_names.h"
#include "record/estimates.h"
#include "record/metric_names.h"
#include "stats/distributions.h"
#include "stats/mean.h"

namespace strobe {
namespace {

constexpr double kEnergyTail = 0.975;
constexpr const char* kOneWindow = "one window says nothing about others";

std::vector<EnergyValue> values_of(const std::vector<EnergyWindow>& windows) {
  std::vector<EnergyValue> values;
  for (const EnergyWindow& w : windows)
    values.push_back({w.stretch.joules(), w.requests, to_seconds(w.stretch.length())});
  return values;
}

std::vector<double> window_ratios(const std::vector<EnergyValue>& windows, double EnergyValue::* over) {
  std::vector<double> all;
  for (const EnergyValue& w : windows) all.push_back(w.joules / (w.*over));
  return all;
}

// The mean error of windows is at most the largest of them.
double largest_error(const EnergySamples& s) {
  double worst = 0;
  for (const EnergyWindow& w : s.windows) worst = std::max(worst, w.stretch.error());
  return worst;
}

Metric level(const char* unit, const Estimate& estimate, const std::vector<double>& windows, double requests) {
  Metric m;
  m.unit = unit;
  m.estimate = estimate;
  m.n = static_cast<std::uint64_t>(std::llround(requests));
  m.n_eff = static_cast<double>(windows.size());
  if (windows.empty()) return m;
  m.stddev = stats::stddev(windows);
  const auto [least, most] = std::minmax_element(windows.begin(), windows.end());
  m.min = *least;
  m.max = *most;
  return m;
}

Metric unknown_metric(const char* unit, const std::string& why) {
  Metric m;
  m.unit = unit;
  m.unknown = why;
  return m;
}

double watts(const EnergyStretch& s) {
  return s.joules() / to_seconds(s.length());
}

// Before and after: the truth lies between the two, give or take where they begin and end.
std::optional<Estimate> idle_power(const EnergySamples& s) {
  std::vector<double> seen;
  double error = 0;
  for (const auto& idle : {s.idle_before, s.idle_after}) {
    if (!idle) continue;
    seen.push_back(watts(*idle));
    error = std::max(error, idle->error());
  }
  if (seen.empty()) return std::nullopt;
  const double mean = stats::mean(seen);
  const auto [least, most] = std::minmax_element(seen.begin(), seen.end());
  return make_estimate(mean, *least - error * mean, *most + error * mean, {});
}

Estimate inverse(const Estimate& per_request, double items) {
  Estimate e = per_request;
  e.value = items / per_request.value;
  e.low = per_request.high ? std::optional(items / *per_request.high) : std::nullopt;
  e.high = per_request.low && *per_request.low > 0 ? std::optional(items / *per_request.low) : std::nullopt;
  return e;
}

// What the device takes anyway, for as long as a request lasts, is taken off.
Estimate above_idle(const Estimate& gross, const Estimate& idle, double seconds) {
  Estimate e = gross;
  e.value = gross.value - idle.value * seconds;
  if (!gross.bounded()) return e;
  const double half = (*gross.high - *gross.low) / 2 + (*idle.high - *idle.low) / 2 * seconds;
  e.low = e.value - half;
  e.high = e.value + half;
  return e;
}

void add_unknown(const std::string& why, Record& r) {
  r.metrics[metric::energy] = unknown_metric(unit::joules, why);
  r.metrics[metric::items_per_joule] = unknown_metric(unit::items_per_joule, why);
}

void describe(const EnergySamples& s, EnergyAnswer& a) {
  a.source = s.source;
  a.scope = s.scope;
  a.step_ns = to_double(s.step);
  a.read_ns = to_double(s.read);
  a.took_ns = to_double(s.took);
  a.error = largest_error(s);
  for (const EnergyWindow& w : s.windows)
    a.windows.push_back(
        {.length_ns = to_double(w.stretch.length()), .joules = w.stretch.joules(), .requests = w.requests});
  if (s.idle_before) a.idle_before_w = watts(*s.idle_before);
  if (s.idle_after) a.idle_after_w = watts(*s.idle_after);
}

}  // namespace

Estimate energy_ratio(const std::vector<EnergyValue>& windows, double EnergyValue::* over, double error) {
  double joules = 0, whole = 0;
  for (const EnergyValue& w : windows) {
    joules += w.joules;
    whole += w.*over;
  }
  const double value = joules / whole;
  if (windows.size() < 2) return make_estimate(value, {}, {}, kOneWindow);
  const auto n = static_cast<double>(windows.size());
  const double half =
      stats::student_t_quantile(kEnergyTail, n - 1) * stats::stddev(window_ratios(windows, over)) / std::sqrt(n);
  const double both = half + error * value;
  return make_estimate(value, value - both, value + both, {});
}

void add_energy(const EnergySamples& s, std::size_t items, Record& r) {
  if (!s.why_not.empty()) return add_unknown(s.why_not, r);
  const std::vector<EnergyValue> windows = values_of(s.windows);
  double requests = 0, seconds = 0;
  for (const EnergyValue& w : windows) {
    requests += w.requests;
    seconds += w.seconds;
  }
  if (requests <= 0) return add_unknown("no request was completed in a window", r);
  describe(s, r.energy);
  const double error = r.energy.error;
  const Estimate gross = energy_ratio(windows, &EnergyValue::requests, error);
  const std::vector<double> per_request = window_ratios(windows, &EnergyValue::requests);
  const auto n_items = static_cast<double>(items);
  r.metrics[metric::energy] = level(unit::joules, gross, per_request, requests);
  r.metrics[metric::items_per_joule] = level(unit::items_per_joule, inverse(gross, n_items), {}, requests);
  r.metrics[metric::items_per_joule].n_eff = static_cast<double>(windows.size());
  r.metrics[metric::power] = level(unit::watts, energy_ratio(windows, &EnergyValue::seconds, error),
                                   window_ratios(windows, &EnergyValue::seconds), requests);
  const auto idle = idle_power(s);
  if (!idle) return;
  r.metrics[metric::idle_power] = level(unit::watts, *idle, {}, 0);
  r.metrics[metric::energy_net] = level(unit::joules, above_idle(gross, *idle, seconds / requests), {}, requests);
  r.metrics[metric::energy_net].n_eff = static_cast<double>(windows.size());
}

}  // namespace strobe

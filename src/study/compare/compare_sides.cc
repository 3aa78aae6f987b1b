// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare_sides.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/unit_names.h"
#include "measure/analysis.h"
#include "record/metric_info.h"
#include "stats/quantile.h"
#include "study/compare/comparisons.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

Metric weighed(std::vector<double> bytes) {
  std::sort(bytes.begin(), bytes.end());
  Metric m;
  m.unit = unit::bytes;
  m.n = bytes.size();
  m.n_eff = static_cast<double>(bytes.size());
  m.estimate = from_stats(stats::quantile_interval(bytes, 0.5, m.n_eff));
  m.min = bytes.front();
  m.max = bytes.back();
  return m;
}

class SidesCompared {
 public:
  SidesCompared(std::vector<Side>& sides, const ComparePlan& o, Record& record)
      : sides_(sides), o_(o), record_(record) {}

  void describe();
  void compare_all();
  void gather_findings();

 private:
  void describe_settings();
  void compare_metric(const std::string& metric);
  void compare_percentiles();
  void compare_memory();
  void add(const Side&, const std::string& metric, const stats::RatioComparison&);
  std::vector<double> log_ratios(const Side&, const std::string& metric) const;
  Metric metric_of(const Side&, const std::string& metric) const;
  // The candidates that are compared with the first; its own noise floor is none.
  std::span<const Side> others() const { return std::span(sides_).subspan(1, sides_.size() - 1 - o_.noise_floor); }
  // Rounds that every side finished.
  std::size_t complete() const;

  std::vector<Side>& sides_;
  const ComparePlan& o_;
  Record& record_;
};

Metric SidesCompared::metric_of(const Side& side, const std::string& metric) const {
  SeriesData series;
  for (std::size_t k = 0; k < side.turns.size(); ++k) {
    const auto it = side.turns[k].find(metric);
    if (it == side.turns[k].end()) continue;
    const bool rate = it->second.samples.empty();
    for (const double x : rate ? std::vector<double>{it->second.value} : it->second.samples) {
      series.values.push_back(x);
      series.at_seconds.push_back(side.at_seconds[k]);
      series.round.push_back(static_cast<std::uint32_t>(k));
    }
  }
  Options asked;
  asked.percentiles = reported_percentiles(asked);
  for (const double p : percentiles_of(o_.fail_on)) {
    if (std::find(asked.percentiles.begin(), asked.percentiles.end(), p) == asked.percentiles.end())
      asked.percentiles.push_back(p);
  }
  Metric m = describe_series(series, asked);
  const MetricInfo* info = metric_info(metric);
  if (info) m.unit = info->unit;
  if (info && info->kind != MetricKind::sample) m.percentiles.clear();
  return m;
}

std::size_t SidesCompared::complete() const {
  std::size_t n = SIZE_MAX;
  for (const Side& s : sides_) n = std::min(n, s.turns.size());
  return n;
}

std::vector<double> SidesCompared::log_ratios(const Side& side, const std::string& metric) const {
  const Side& first = sides_.front();
  std::vector<double> y;
  for (std::size_t k = 0; k < complete(); ++k) {
    const auto a = first.turns[k].find(metric), b = side.turns[k].find(metric);
    if (a != first.turns[k].end() && b != side.turns[k].end() && a->second.value > 0 && b->second.value > 0)
      y.push_back(std::log(b->second.value / a->second.value));
  }
  return y;
}

void SidesCompared::add(const Side& side, const std::string& metric, const stats::RatioComparison& c) {
  if (c.pairs > 0) record_.comparisons.push_back(to_comparison(sides_.front().name, side.name, metric, c));
}

// The noise floor is shown, and is no result: it must not make the others harder to tell.
void SidesCompared::compare_metric(const std::string& metric) {
  std::vector<std::vector<double>> ratios;
  for (const Side& side : others()) ratios.push_back(log_ratios(side, metric));
  stats::ComparisonRule rule;
  rule.margin = o_.margin;
  const std::vector<stats::RatioComparison> results = stats::compare_family(ratios, rule);
  for (std::size_t i = 0; i < results.size(); ++i) add(others()[i], metric, results[i]);
  if (o_.noise_floor) add(sides_.back(), metric, stats::compare_rounds(log_ratios(sides_.back(), metric), rule));
}

void SidesCompared::compare_percentiles() {
  const std::string metric = headline_metric(record_);
  for (const double p : percentiles_of(o_.fail_on)) {
    for (std::size_t i = 1; i <= others().size(); ++i) {
      auto c = compare_percentile(record_.cases.front(), record_.cases[i], metric, p, o_.margin, complete());
      if (c) record_.comparisons.push_back(std::move(*c));
    }
  }
}

// Each load was a process of its own.
void SidesCompared::compare_memory() {
  stats::ComparisonRule rule;
  rule.margin = o_.margin;
  for (const Side& side : others())
    add(side, metric::memory, stats::compare_launches(sides_.front().memory, side.memory, rule));
}

void SidesCompared::compare_all() {
  for (const auto& [metric, reading] : sides_.front().turns.front()) compare_metric(metric);
  compare_percentiles();
  if (asks_for_memory(o_.fail_on)) compare_memory();
  const auto place = [&](const Comparison& c) {
    return std::find_if(sides_.begin(), sides_.end(), [&](const Side& s) { return s.name == c.b; });
  };
  std::stable_sort(record_.comparisons.begin(), record_.comparisons.end(),
                   [&](const Comparison& x, const Comparison& y) { return place(x) < place(y); });
}

// The candidates' doubts; one that all share is said once.
void SidesCompared::gather_findings() {
  for (const Case& c : record_.cases) {
    for (Finding f : c.findings) {
      const auto shares = [&](const Case& other) {
        return std::any_of(other.findings.begin(), other.findings.end(),
                           [&](const Finding& g) { return g.id == f.id && g.message == f.message; });
      };
      const bool all = std::all_of(record_.cases.begin(), record_.cases.end(), shares);
      if (all && &c != &record_.cases.front()) continue;
      if (!all) f.message = fmt::format("({}) {}", c.name, f.message);
      record_.findings.push_back(std::move(f));
    }
  }
}

void SidesCompared::describe() {
  for (Side& side : sides_) {
    Record& r = side.about;
    Case c;
    c.name = side.name;
    c.settings = r.settings;
    c.model = r.model;
    c.device = r.device;
    c.metrics = r.metrics;  // those that are unknown, and why
    for (const auto& [metric, reading] : side.turns.front()) c.metrics[metric] = metric_of(side, metric);
    if (!side.memory.empty()) c.metrics[metric::memory] = weighed(side.memory);
    r.metrics = c.metrics;
    r.host = record_.host;
    r.strobe = record_.strobe;
    apply_detectors(r);
    for (const Finding& f : r.findings) {
      if (traits_of(f).survives_turns) c.findings.push_back(f);
    }
    record_.cases.push_back(std::move(c));
  }
  const Record& first = sides_.front().about;
  record_.model = first.model;
  record_.device = first.device;
  record_.telemetry = first.telemetry;
  record_.observations.disturbances = first.observations.disturbances;
  record_.observations.host_numa_node = first.observations.host_numa_node;
  describe_settings();
}

// Those that all candidates share; what differs is in the cases.
void SidesCompared::describe_settings() {
  for (const auto& [key, value] : record_.cases.front().settings) {
    const auto same = [&, &k = key, &v = value](const Case& c) {
      const auto it = c.settings.find(k);
      return it != c.settings.end() && it->second == v;
    };
    if (std::all_of(record_.cases.begin(), record_.cases.end(), same)) record_.settings[key] = value;
  }
}

}  // namespace

void compare_sides(std::vector<Side>& sides, const ComparePlan& o, Record& record) {
  SidesCompared compared(sides, o, record);
  compared.describe();
  compared.compare_all();
  compared.gather_findings();
  apply_fail_on(o.fail_on, record);
  doubt_undecided(record);
  record.verdict = verdict_of(record.findings);
}

}  // namespace strobe

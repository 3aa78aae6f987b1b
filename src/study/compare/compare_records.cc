// SPDX-License-Identifier: Apache-2.0
#include "study/compare/compare_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "option/forms.h"
#include "record/metric_names.h"
#include "study/compare/comparisons.h"
#include "study/new_record.h"
#include "study/options/tables.h"
#include "verdict/judge.h"
#include "workload/model_table.h"

namespace strobe {
namespace {

constexpr std::size_t kEnoughLaunches = 5;
constexpr double kClocksDiffer = 0.02;

// Of the machine and its device. Names of hosts are left out: a container has another one each time.
constexpr std::array<std::string_view, 7> kHostConditions{"cpu",    "cores",          "memory_bytes", "machine",
                                                          "kernel", "virtualisation", "governor"};
constexpr std::array<std::string_view, 8> kDeviceConditions{"uuid", "driver",     "cuda", "power_limit_w",
                                                            "mig",  "sm_mhz_max", "mps",  "memory_mhz_max"};
// Of the settings that are no options these say where, or how long was measured, not what.
constexpr std::array<std::string_view, 2> kNoConditions{"device_chosen", "longest_ns"};
// How the runtime runs the model, where it tells; of records whose settings do not say it.
constexpr std::array<std::string_view, 4> kModelConditions{"threads", "optimize", "dtype", "layout"};

std::string words(const Scalar* s) {
  if (!s) return "not set";
  if (const auto* b = std::get_if<bool>(s)) return *b ? "yes" : "no";
  if (const auto* i = std::get_if<std::int64_t>(s)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(s)) return fmt::format("{:.6g}", *d);
  return std::get<std::string>(*s);
}

const Scalar* in(const Scalars& all, std::string_view key) {
  const auto it = all.find(key);
  return it == all.end() ? nullptr : &it->second;
}

class Differences {
 public:
  // Twice the same condition is said once.
  void add(std::string_view key, const std::string& a, const std::string& b) {
    const auto same = [&](const ConditionDifference& d) { return d.key == key; };
    if (a == b || std::any_of(list_.begin(), list_.end(), same)) return;
    list_.push_back({std::string(key), fmt::format("{}: {} and {}", key, a, b)});
  }

  void add(std::string_view key, const Scalars& a, const Scalars& b) { add(key, words(in(a, key)), words(in(b, key))); }

  void add_words(std::string key, std::string text) { list_.push_back({std::move(key), std::move(text)}); }

  std::vector<ConditionDifference> take() { return std::move(list_); }

 private:
  std::vector<ConditionDifference> list_;
};

void add_clocks(Differences& out, const Record& a, const Record& b) {
  for (const auto& [pass, mhz] : a.observations.clocks_per_pass) {
    const auto other = b.observations.clocks_per_pass.find(pass);
    if (other == b.observations.clocks_per_pass.end() || mhz <= 0) continue;
    if (std::fabs(other->second / mhz - 1) > kClocksDiffer)
      out.add_words("clock", fmt::format("clock during {}: {:.0f} and {:.0f} MHz", pass, mhz, other->second));
  }
}

template <class T>
void erase_what_may_differ(std::span<const Option<T>> table, std::set<std::string, std::less<>>& keys) {
  for (const Option<T>& o : table) {
    if (o.traits.may_differ) keys.erase(o.setting());
  }
}

void add_settings(Differences& out, const Record& a, const Record& b) {
  std::set<std::string, std::less<>> keys;
  for (const Scalars* s : {&a.settings, &b.settings}) {
    for (const auto& [key, value] : *s) keys.insert(key);
  }
  for (const std::string_view key : kNoConditions) keys.erase(std::string(key));
  erase_what_may_differ(model_table(), keys);
  erase_what_may_differ(measure_table(), keys);
  erase_what_may_differ(methods_table(), keys);
  erase_what_may_differ(throughput_table(), keys);
  for (const std::string& key : keys) out.add(key, a.settings, b.settings);
  if (a.model.runtime != b.model.runtime) return;
  for (const std::string_view key : kModelConditions) out.add(key, a.model.facts, b.model.facts);
}

// Without their names: two models may call the same input differently.
std::string inputs_of(const ModelInfo& model) {
  std::vector<std::string> all;
  for (const TensorInfo& t : model.inputs)
    all.push_back(fmt::format("{} {} {}", t.type, format_shape(t.shape), t.source));
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

// The median, or that percentile; 0 where there is none.
double figure_of(const Metrics& metrics, const std::string& metric, std::optional<double> percentile) {
  const auto it = metrics.find(metric);
  if (it == metrics.end() || !it->second.known()) return 0;
  if (!percentile) return it->second.estimate.value;
  for (const Percentile& q : it->second.percentiles) {
    if (q.p == *percentile && q.estimate) return q.estimate->value;
  }
  return 0;
}

// Loads in one process are one launch: what a process draws is the same for all of them.
std::size_t launches_of(const Record& r) {
  return r.one_process ? 1 : std::max<std::size_t>(1, r.launches.size());
}

// One a launch, or the one there is.
std::vector<double> observations(const Record& r, const std::string& metric,
                                 std::optional<double> percentile = std::nullopt) {
  std::vector<double> values;
  for (const Case& c : r.launches) {
    if (const double x = figure_of(c.metrics, metric, percentile); x > 0) values.push_back(x);
  }
  if (!r.one_process && !r.launches.empty() && values.size() == r.launches.size()) return values;
  const double whole = figure_of(r.metrics, metric, percentile);
  return whole > 0 ? std::vector<double>{whole} : std::vector<double>{};
}

Case case_of(const StoredRecord& s) {
  Case c;
  c.name = s.name;
  c.settings = s.record.settings;
  c.model = s.record.model;
  c.device = s.record.device;
  c.started_at = s.record.started_at;
  c.launches = launches_of(s.record);
  c.metrics = s.record.metrics;
  for (auto& [name, m] : c.metrics) {
    m.curve.clear();
    m.histogram = {};
  }
  for (const Finding& f : s.record.findings) {
    if (f.severity != Severity::note) c.findings.push_back(f);
  }
  return c;
}

void add_doubts(const std::vector<StoredRecord>& all, const std::vector<std::string>& differing, Record& r) {
  for (const std::string& d : differing)
    r.findings.push_back({.id = "conditions-differ",
                          .about = About::measurement,
                          .severity = Severity::warning,
                          .message = d,
                          .advice = "Measure both under the same conditions."});
  for (const StoredRecord& s : all) {
    const std::size_t launches = launches_of(s.record);
    if (launches < kEnoughLaunches)
      r.findings.push_back({.id = "few-launches",
                            .about = About::measurement,
                            .severity = Severity::warning,
                            .message = fmt::format("{} has {} launch{}, and {} are needed to know how launches differ",
                                                   s.name, launches, launches == 1 ? "" : "es", kEnoughLaunches),
                            .advice = "Record with 'strobe run --launches 5'."});
    if (s.record.verdict == Verdict::invalid)
      r.findings.push_back({.id = "invalid-record",
                            .about = About::measurement,
                            .severity = Severity::invalid,
                            .message = fmt::format("{} has an invalid verdict", s.name),
                            .advice = fmt::format("Read what 'strobe audit {}' says.", s.name)});
  }
}

// The launches of the first record against each other: what cannot be seen with this many of them.
void add_noise_floor(const std::vector<double>& launches, Record& r) {
  if (launches.size() < 3) return;
  const stats::RatioComparison self = stats::compare_launches(launches, launches, {});
  if (self.ratio.high) r.noise_floor = *self.ratio.high - 1;
}

// All differences that are not meant, in words. Throws where they are not allowed for.
std::vector<std::string> differences(const std::vector<StoredRecord>& all, const CompareRecordsPlan& o) {
  std::vector<std::string> words, keys;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const ConditionDifference& d : differing_conditions(all.front().record, all[i].record)) {
      if (std::find(o.allow.begin(), o.allow.end(), d.key) != o.allow.end()) continue;
      words.push_back(fmt::format("{} and {} differ in {}", all.front().name, all[i].name, d.words));
      keys.push_back(d.key);
    }
  }
  if (!words.empty() && !o.force)
    throw Error(ErrorCode::usage, "cannot compare these records", fmt::format("{}", fmt::join(words, "; ")),
                fmt::format("Measure both under the same conditions, say that the difference is meant (--allow {}), or "
                            "take --force.",
                            keys.front()));
  return words;
}

void compare_figures(const StoredRecord& a, const StoredRecord& b, const std::string& metric,
                     std::optional<double> percentile, double margin, Record& r) {
  const std::vector<double> x = observations(a.record, metric, percentile),
                            y = observations(b.record, metric, percentile);
  if (x.empty() || y.empty()) return;
  stats::ComparisonRule rule;
  rule.margin = margin;
  Comparison c = to_comparison(a.name, b.name, metric, stats::compare_launches(x, y, rule));
  c.percentile = percentile;
  r.comparisons.push_back(std::move(c));
}

void compare_with(const StoredRecord& first, const StoredRecord& other, const CompareRecordsPlan& o, Record& r) {
  for (const auto& [metric, m] : first.record.metrics) {
    if (metric == metric::period || metric == metric::submit) continue;  // throughput and latency say the same
    compare_figures(first, other, metric, std::nullopt, o.margin, r);
  }
  for (const double p : percentiles_of(o.fail_on)) compare_figures(first, other, headline_metric(r), p, o.margin, r);
}

}  // namespace

std::vector<ConditionDifference> differing_conditions(const Record& a, const Record& b) {
  Differences out;
  out.add("verb", a.verb, b.verb);
  out.add("device", a.device.name, b.device.name);
  out.add("device", a.device.kind, b.device.kind);
  for (const std::string_view key : kHostConditions) out.add(key, a.host, b.host);
  for (const std::string_view key : kDeviceConditions) out.add(key, a.device.facts, b.device.facts);
  out.add("inputs", inputs_of(a.model), inputs_of(b.model));
  add_settings(out, a, b);
  add_clocks(out, a, b);
  return out.take();
}

Record compare_stored(const std::vector<StoredRecord>& all, const CompareRecordsPlan& o) {
  const Record& first = all.front().record;
  Record r = new_record(verb::compare);
  const std::vector<std::string> differing = differences(all, o);
  r.model = first.model;
  r.device = first.device;
  r.host = first.host;
  CompareOptions asked;
  asked.margin = o.margin;
  describe_options(compare_table(), asked, r.settings, [](const OptionTraits& t) { return t.of_stored; });
  r.settings["stored"] = true;
  for (const StoredRecord& s : all) r.cases.push_back(case_of(s));
  for (std::size_t i = 1; i < all.size(); ++i) compare_with(all.front(), all[i], o, r);
  add_doubts(all, differing, r);
  add_noise_floor(observations(first, metric::latency), r);
  apply_fail_on(o.fail_on, r);
  doubt_undecided(r);
  r.status = Status::fixed;
  r.verdict = verdict_of(r.findings);
  return r;
}

}  // namespace strobe

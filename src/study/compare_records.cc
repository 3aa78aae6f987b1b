#include "study/compare_records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"
#include "study/comparisons.h"
#include "study/new_record.h"
#include "verdict/judge.h"

namespace strobe {
namespace {

constexpr std::size_t kEnoughLaunches = 5;
constexpr double kClocksDiffer = 0.02;

// Of the machine and its device. Names of hosts are left out: a container has another one each time.
constexpr std::array<std::string_view, 7> kHostConditions{"cpu",    "cores",          "memory_bytes", "machine",
                                                          "kernel", "virtualisation", "governor"};
constexpr std::array<std::string_view, 8> kDeviceConditions{"uuid", "driver",     "cuda", "power_limit_w",
                                                            "mig",  "sm_mhz_max", "mps",  "memory_mhz_max"};
// Of the settings these say how long was measured, not what.
constexpr std::array<std::string_view, 11> kIgnored{
    "effort",         "margin",   "min_time_ns", "max_time_ns", "percentiles", "device_chosen",
    "host_numa_node", "launches", "warmup",      "requests",    "seed"};

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

void add_difference(std::vector<std::string>& out, std::string_view key, const Scalars& a, const Scalars& b) {
  const Scalar *x = in(a, key), *y = in(b, key);
  if ((x || y) && words(x) != words(y)) out.push_back(fmt::format("{}: {} and {}", key, words(x), words(y)));
}

void add_clocks(std::vector<std::string>& out, const Record& a, const Record& b) {
  for (const auto& [pass, mhz] : a.observations.clocks_per_pass) {
    const auto other = b.observations.clocks_per_pass.find(pass);
    if (other == b.observations.clocks_per_pass.end() || mhz <= 0) continue;
    if (std::fabs(other->second / mhz - 1) > kClocksDiffer)
      out.push_back(fmt::format("clock during {}: {:.0f} and {:.0f} MHz", pass, mhz, other->second));
  }
}

// The launches' medians, or the one there is.
std::vector<double> observations(const Record& r, const std::string& metric) {
  std::vector<double> values;
  for (const Case& c : r.launches) {
    const auto it = c.metrics.find(metric);
    if (it != c.metrics.end() && it->second.known() && it->second.median.value > 0)
      values.push_back(it->second.median.value);
  }
  if (values.empty()) {
    const Metric* m = r.find(metric);
    if (m && m->median.value > 0) values.push_back(m->median.value);
  }
  return values;
}

Case case_of(const StoredRecord& s) {
  Case c;
  c.name = s.name;
  c.settings = s.record.settings;
  c.settings["model"] = s.record.model.name;
  c.settings["started_at"] = s.record.started_at;
  c.settings["launches"] = static_cast<std::int64_t>(std::max<std::size_t>(1, s.record.launches.size()));
  c.metrics = s.record.metrics;
  for (auto& [name, m] : c.metrics) m.curve.clear(), m.histogram = {};
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
    const std::size_t launches = std::max<std::size_t>(1, s.record.launches.size());
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
                            .message = fmt::format("{} is not usable itself", s.name),
                            .advice = fmt::format("Read what 'strobe audit {}' says.", s.name)});
  }
}

// The launches of the first record against each other: what cannot be seen with this many of them.
void add_noise_floor(const std::vector<double>& launches, Record& r) {
  if (launches.size() < 3) return;
  const stats::RatioComparison self = stats::compare_launches(launches, launches, {});
  if (self.ratio.high) r.answer["noise_floor"] = *self.ratio.high - 1;
}

}  // namespace

std::vector<std::string> differing_conditions(const Record& a, const Record& b) {
  std::vector<std::string> out;
  if (a.device.kind != b.device.kind || a.device.name != b.device.name)
    out.push_back(fmt::format("device: {} and {}", a.device.name, b.device.name));
  for (const std::string_view key : kHostConditions) add_difference(out, key, a.host, b.host);
  for (const std::string_view key : kDeviceConditions) add_difference(out, key, a.device.facts, b.device.facts);
  std::set<std::string, std::less<>> settings;
  for (const Scalars* s : {&a.settings, &b.settings}) {
    for (const auto& [key, value] : *s) settings.insert(key);
  }
  for (const std::string_view key : kIgnored) settings.erase(std::string(key));
  for (const std::string& key : settings) add_difference(out, key, a.settings, b.settings);
  add_clocks(out, a, b);
  return out;
}

Record compare_records(const std::vector<StoredRecord>& all, const CompareRecordsOptions& o) {
  const Record& first = all.front().record;
  Record r = new_record("compare");
  std::vector<std::string> differing;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const std::string& d : differing_conditions(first, all[i].record))
      differing.push_back(fmt::format("{} and {} differ in {}", all.front().name, all[i].name, d));
  }
  if (!differing.empty() && !o.force)
    throw Error(ErrorCode::usage, "cannot compare these records", fmt::format("{}", fmt::join(differing, "; ")),
                "Measure both under the same conditions, or take --force.");
  r.model = first.model, r.device = first.device, r.host = first.host;
  r.settings["margin"] = o.margin;
  r.settings["stored"] = true;
  for (const StoredRecord& s : all) r.cases.push_back(case_of(s));
  stats::ComparisonRule rule;
  rule.margin = o.margin;
  for (std::size_t i = 1; i < all.size(); ++i) {
    for (const auto& [metric, m] : first.metrics) {
      if (metric == "period" || metric == "submit") continue;  // throughput and latency say the same
      const std::vector<double> a = observations(first, metric), b = observations(all[i].record, metric);
      if (a.empty() || b.empty()) continue;
      r.comparisons.push_back(
          to_comparison(all.front().name, all[i].name, metric, stats::compare_launches(a, b, rule)));
    }
  }
  add_doubts(all, differing, r);
  add_noise_floor(observations(first, "latency"), r);
  r.status = Status::fixed;
  r.verdict = verdict_of(r.findings);
  return r;
}

}  // namespace strobe

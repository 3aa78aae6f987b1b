// SPDX-License-Identifier: Apache-2.0
#include "study/launches.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/units.h"
#include "device/clock.h"
#include "host/facts.h"
#include "record/estimates.h"
#include "record/study_info.h"
#include "stats/agreeing_limits.h"
#include "stats/next_launch.h"
#include "stats/quantile.h"
#include "study/worker.h"
#include "study/worker_options.h"
#include "verdict/judge.h"
#include "workload/model_files.h"

namespace strobe {
namespace {

constexpr nanoseconds kLaunchPatience =
    30min;  // of one launch, beside the time asked for: a sustained run and its load

// The widest interval that a launch has by itself, or half a tick, relative to its value.
double widest_within(const std::vector<const Metric*>& metrics) {
  double widest = 0;
  for (const Metric* m : metrics) {
    widest = std::max(widest, m->estimate.relative_half_width().value_or(0));
    if (m->estimate.value > 0) widest = std::max(widest, m->facts.tick / 2 / m->estimate.value);
  }
  return widest;
}

// The median launch; the interval holds what the next launch will read.
Estimate next_launch(const std::vector<double>& values, double within) {
  const stats::Estimate e = stats::predict_next_launch(values, within);
  if (!stats::bounded(e)) return make_estimate(e.value, {}, {}, "one launch says nothing about others");
  return make_estimate(e.value, e.low, e.high, {});
}

// Percentiles that every launch could give: the median launch, and the range over launches.
std::vector<Percentile> percentiles_over(const std::vector<const Metric*>& metrics) {
  std::vector<Percentile> out;
  for (const Percentile& p : metrics.front()->percentiles) {
    std::vector<double> values;
    Percentile needed = p;
    for (const Metric* m : metrics) {
      for (const Percentile& q : m->percentiles) {
        if (q.p == p.p && q.estimate) values.push_back(q.estimate->value);
        if (q.p == p.p && q.needs) needed = q;
      }
    }
    if (values.size() < metrics.size()) {
      out.push_back({needed.p, std::nullopt, needed.needs});
      continue;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    out.push_back({p.p, make_estimate(stats::median_of(values), *least, *most, {}), std::nullopt});
  }
  return out;
}

// The limits of percentiles must not cross, nor lie inside those of the median: its interval is for the next launch,
// and theirs are only what was seen.
void let_limits_agree(Metric& m) {
  std::vector<std::pair<double, Estimate*>> by_level;
  for (Percentile& p : m.percentiles) {
    if (!p.estimate) continue;
    if (p.p > 0.5 && m.estimate.high) p.estimate->high = std::max(*p.estimate->high, *m.estimate.high);
    if (p.p < 0.5 && m.estimate.low) p.estimate->low = std::min(*p.estimate->low, *m.estimate.low);
    by_level.emplace_back(p.p, &*p.estimate);
  }
  std::sort(by_level.begin(), by_level.end());
  std::vector<Estimate*> estimates;
  for (const auto& [level, estimate] : by_level) estimates.push_back(estimate);
  stats::make_limits_agree<Estimate>(estimates);
}

Metric metric_over(const std::vector<const Metric*>& metrics) {
  Metric m;
  m.unit = metrics.front()->unit;
  std::vector<double> medians, means;
  m.min = metrics.front()->min;
  m.max = metrics.front()->max;
  for (const Metric* x : metrics) {
    m.n += x->n;
    medians.push_back(x->estimate.value);
    if (x->mean) means.push_back(x->mean->value);
    m.min = std::min(m.min, x->min);
    m.max = std::max(m.max, x->max);
    m.outliers.count += x->outliers.count;
    m.outliers.largest = std::max(m.outliers.largest, x->outliers.largest);
    m.facts.tick = x->facts.tick;
  }
  m.outliers.share = m.n ? static_cast<double>(m.outliers.count) / static_cast<double>(m.n) : 0;
  m.n_eff = static_cast<double>(metrics.size());
  const double within = widest_within(metrics);
  m.estimate = next_launch(medians, within);
  if (means.size() == metrics.size()) m.mean = next_launch(means, within);
  for (const stats::LaunchLevel& level : stats::launch_levels(medians))
    m.levels.push_back({level.value, level.launches});
  m.trend = stats::launch_trend(medians);
  m.percentiles = percentiles_over(metrics);
  let_limits_agree(m);
  return m;
}

Metrics metrics_over(const std::vector<Record>& launches) {
  Metrics all;
  for (const auto& [name, first] : launches.front().metrics) {
    std::vector<const Metric*> known;
    for (const Record& r : launches) {
      if (const Metric* m = r.find(name); m && m->estimate.value > 0) known.push_back(m);
    }
    if (known.size() == launches.size()) {
      all[name] = metric_over(known);
    } else {
      all[name].unit = first.unit;
      all[name].unknown = first.known() ? "not every launch could measure it" : first.unknown;
    }
  }
  return all;
}

// What a launch doubts is a doubt about all when most share it; otherwise the spread between launches has it already.
std::vector<Finding> findings_over(const std::vector<Record>& launches) {
  struct Seen {
    Finding worst;
    std::size_t in = 0;
  };
  std::map<std::string, Seen> seen;
  for (const Record& r : launches) {
    for (const Finding& f : r.findings) {
      if (traits_of(f).of_one_launch) continue;
      Seen& s = seen[f.id];
      if (s.in++ == 0 || f.severity > s.worst.severity) s.worst = f;
    }
  }
  std::vector<Finding> findings;
  for (auto& [id, s] : seen) {
    if (s.in < launches.size())
      s.worst.message = fmt::format("({} of {} launches) {}", s.in, launches.size(), s.worst.message);
    if (s.worst.severity == Severity::warning && 2 * s.in <= launches.size()) s.worst.severity = Severity::note;
    findings.push_back(std::move(s.worst));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

// A case of a launch: its figures, without the pictures, which five times over would make the record large.
Case case_of(const Record& r, std::size_t number) {
  Case c;
  c.name = fmt::format("launch {}", number);
  c.metrics = r.metrics;
  for (auto& [name, m] : c.metrics) {
    m.curve.clear();
    m.histogram = {};
  }
  c.findings = r.findings;
  return c;
}

}  // namespace

Record merge_launches(std::vector<Record> launches) {
  Record whole = launches.front();
  whole.metrics = metrics_over(launches);
  whole.findings = findings_over(launches);
  whole.launches.clear();
  whole.duration_ns = whole.window_ns = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Record& r = launches[i];
    whole.launches.push_back(case_of(r, i + 1));
    whole.duration_ns += r.duration_ns;
    whole.window_ns += r.window_ns;
    if (r.status == Status::not_converged && whole.status != Status::interrupted) {
      whole.status = Status::not_converged;
      if (whole.status_reason.empty()) whole.status_reason = r.status_reason;
    }
    if (r.status == Status::interrupted) whole.status = Status::interrupted;
  }
  whole.settings["launches"] = static_cast<std::int64_t>(launches.size());
  whole.telemetry.at_seconds.clear();
  whole.telemetry.columns.clear();
  whole.verdict = verdict_of(whole.findings);
  return whole;
}

Record run_launches(const OpenOptions& open, const Options& o) {
  const std::size_t asked = o.launches.value_or(2);
  const nanoseconds longest = std::max(o.min_time.value_or(0ns), o.max_time.value_or(0ns));
  OpenOptions fresh = open;
  std::vector<Record> launches;
  std::string failure;
  const nanoseconds begin = SteadyClock().now();
  const auto stopped = [&] { return o.stop && o.stop(); };
  for (std::size_t i = 0; i < asked && !stopped(); ++i) {
    if (o.progress) {
      Progress p;
      p.phase = fmt::format("launch {} of {}", i + 1, asked);
      p.elapsed = SteadyClock().now() - begin;
      o.progress(p);
    }
    try {
      fresh.launch = i;
      Worker worker(kRunJob, worker_options(fresh, o));
      Record r = record_in(worker.answer(kLaunchPatience + longest, o.stop));
      if (!launches.empty()) check_same_files(launches.front().model, r.model);
      const bool complete = r.status != Status::interrupted;
      failure = complete ? "" : r.status_reason;
      if (complete || launches.empty()) launches.push_back(std::move(r));  // a part of a launch is no observation
      if (!complete) break;
    } catch (const Error& e) {
      // A launch that fails does not take those before with it; nor does one that was ended after a
      // signal. One of another model does.
      if ((launches.size() < 2 && !stopped()) || e.code() == ErrorCode::changed) throw;
      failure = stopped() ? "" : e.what();
      break;
    }
  }
  if (launches.empty()) throw Error(ErrorCode::interrupted, "interrupted before the first launch was complete");
  const bool incomplete = launches.size() < asked;
  Record whole = merge_launches(std::move(launches));
  if (incomplete) {
    whole.status = Status::interrupted;
    whole.status_reason = failure;
  }
  whole.command = command_line();
  return whole;
}

}  // namespace strobe

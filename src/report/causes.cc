// SPDX-License-Identifier: Apache-2.0
#include "report/causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/format.h"

namespace strobe {
namespace {

using Reading = std::optional<double>;

Reading evidence(const Finding& f, std::string_view key) {
  const auto it = f.evidence.find(key);
  return it == f.evidence.end() ? Reading{} : it->second;
}

Reading transformed(Reading x, double (*change)(double)) {
  return x ? Reading{change(*x)} : x;
}

// What an effect is read from, where it is not in the evidence by that name.
Reading plain_effect(const Finding& f) {
  return transformed(evidence(f, "effect"), [](double x) { return std::fabs(x); });
}
Reading no_effect(const Finding&) {
  return {};
}
Reading half_width(const Finding& f) {
  return evidence(f, "half_width");
}
Reading bias(const Finding& f) {
  return transformed(evidence(f, "bias"), [](double x) { return std::fabs(x); });
}
Reading half_drift(const Finding& f) {  // the result stands for the middle of the window
  return transformed(evidence(f, "drift"), [](double x) { return std::fabs(x) / 2; });
}
Reading shift(const Finding& f) {
  return transformed(evidence(f, "ratio"), [](double x) { return std::fabs(x - 1); });
}
Reading distance(const Finding& f) {
  return evidence(f, "distance");
}
Reading time_share(const Finding& f) {
  return evidence(f, "time_share");
}
Reading half_coupling(const Finding& f) {
  return transformed(evidence(f, "coupling"), [](double x) { return std::fabs(x) / 2; });
}
Reading half_tick(const Finding& f) {
  return transformed(evidence(f, "ticks"), [](double x) { return x > 0 ? 0.5 / x : 1; });
}
Reading effect_on_host(const Finding& f) {
  if (const Reading effect = evidence(f, "effect")) return effect;
  const Reading canary = evidence(f, "canary_excess"), steal = evidence(f, "steal_share");
  return std::max(canary, steal);  // an absent one is the smaller
}
Reading clock_share(const Finding& f) {
  const Reading share = evidence(f, "share"), loss = evidence(f, "clock_loss");
  return share && loss ? Reading{*share * *loss} : Reading{};
}

Reading shown_share(const Finding& f) {
  return evidence(f, "share");
}
Reading shown_drift(const Finding& f) {
  return transformed(evidence(f, "drift"), [](double x) { return std::fabs(x); });
}
Reading shown_lag(const Finding& f) {
  return evidence(f, "lag1");
}
Reading shown_loss(const Finding& f) {
  return evidence(f, "clock_loss");
}
Reading shown_canary(const Finding& f) {  // stolen time is another matter, and its message is short
  const Reading canary = evidence(f, "canary_excess");
  return canary && canary >= evidence(f, "steal_share") ? canary : Reading{};
}

// How far a finding moves the metric it was seen in, with its sign.
Reading bias_change(const Finding& f) {
  return evidence(f, "bias");
}
Reading drift_change(const Finding& f) {
  return evidence(f, "drift");
}
Reading shift_change(const Finding& f) {
  return transformed(evidence(f, "ratio"), [](double x) { return x - 1; });
}
Reading coupling_change(const Finding& f) {
  return evidence(f, "coupling");
}
Reading trend_change(const Finding& f) {
  return evidence(f, "effect");
}

struct CauseRow {
  std::string_view id;
  Cause cause;
  Reading (*effect)(const Finding&) = plain_effect;
  // The finding in a few words, with its one number where it has one; without that number the message is used.
  std::string_view phrase = {};
  Reading (*shown)(const Finding&) = plain_effect;
  // Of what may be seen in several metrics; where it has no sign, `shown` is what is said of each.
  Reading (*change)(const Finding&) = no_effect;
};

constexpr std::array kCauseRows{
    CauseRow{"output-mismatch", Cause::validity, no_effect},
    CauseRow{"wrong-output", Cause::validity, no_effect},
    CauseRow{"equal-outputs", Cause::validity, no_effect},
    CauseRow{"empty-callable", Cause::validity, no_effect},
    CauseRow{"work-escaped", Cause::validity, no_effect, "the device continues after the clock was read", shown_share},
    CauseRow{"impossible", Cause::validity, no_effect},
    CauseRow{"unsynchronized", Cause::validity, no_effect},
    CauseRow{"invalid-record", Cause::validity, no_effect},
    CauseRow{"conditions-differ", Cause::conditions, no_effect},
    CauseRow{"precision-differs", Cause::conditions, no_effect},
    CauseRow{"threads-differ", Cause::conditions, no_effect},
    CauseRow{"timer-resolution", Cause::timing, half_tick, "the clock is too coarse for a time this short", half_tick},
    CauseRow{"marks-cost", Cause::timing, plain_effect, "marks take {} of the device time"},
    CauseRow{"disturbed", Cause::timing, plain_effect, "marks slow the pipeline by {}"},
    CauseRow{"one-pass", Cause::timing, no_effect},
    CauseRow{"gate-unsafe", Cause::timing},
    CauseRow{"copy-inside-timing", Cause::timing, no_effect},
    CauseRow{"gate-leak", Cause::timing, no_effect, "device time misses work: a request takes {} longer", plain_effect},
    CauseRow{"profiler-attached", Cause::timing},
    CauseRow{"debug-build", Cause::timing},
    CauseRow{"energy-windows", Cause::timing, plain_effect, "a window of energy may be off by {}"},
    CauseRow{"energy-shared", Cause::host, no_effect},
    CauseRow{"energy-baseline", Cause::instability, plain_effect,
             "the idle power changed: the net energy may be off by {}"},
    CauseRow{"lost-records", Cause::timing, plain_effect, "the tracer lost {} of its records"},
    CauseRow{"pass-coupling", Cause::timing, half_coupling, "the previous pass still affects the time", half_coupling,
             coupling_change},
    CauseRow{"preempted", Cause::host, plain_effect, "something else took the CPU {} of the time", shown_share},
    CauseRow{"noisy-host", Cause::host, effect_on_host, "a fixed piece of work took {} longer than at its best",
             shown_canary},
    CauseRow{"other-process", Cause::host, plain_effect, "other processes kept the GPU {} busy"},
    CauseRow{"page-faults", Cause::host, plain_effect, "reading memory from disk took {} of the time"},
    CauseRow{"cpu-limited", Cause::host, plain_effect, "the CPU quota stopped the process for {} of the time"},
    CauseRow{"other-threads", Cause::host, plain_effect, "other threads of Python worked for {} of the time"},
    CauseRow{"governor", Cause::host},
    CauseRow{"one-launch", Cause::host},
    CauseRow{"shared-gpu", Cause::host},
    CauseRow{"numa-remote", Cause::host},
    CauseRow{"load", Cause::host},
    CauseRow{"cgroup-quota", Cause::host},
    CauseRow{"virtual-machine", Cause::host},
    CauseRow{"smt", Cause::host},
    CauseRow{"swapped-out", Cause::host},
    CauseRow{"small-shared-memory", Cause::host},
    CauseRow{"huge-pages", Cause::host},
    CauseRow{"throttled", Cause::clocks, clock_share, "the device was slowed down: its clock is {} below its highest",
             shown_loss},
    CauseRow{"clock-not-held", Cause::clocks, plain_effect, "the clock was {} from where it was locked"},
    CauseRow{"clocks-differ", Cause::clocks, plain_effect, "the device's clock changed by {} between passes"},
    CauseRow{"power-limit", Cause::clocks},
    CauseRow{"persistence", Cause::clocks},
    CauseRow{"no-warm-up", Cause::warm_up, bias, "the first requests change the mean by {}", bias, bias_change},
    CauseRow{"loads-inside-timing", Cause::warm_up, plain_effect, "loading libraries took {} of the time"},
    CauseRow{"compiled-meanwhile", Cause::warm_up, no_effect},
    CauseRow{"allocator-retries", Cause::timing, no_effect},
    CauseRow{"same-input", Cause::input, plain_effect, "with other inputs the time changes by {}"},
    CauseRow{"low-entropy-input", Cause::input, plain_effect, "with other inputs the time changes by {}"},
    CauseRow{"small-integers", Cause::input, no_effect},
    CauseRow{"odd-values", Cause::input, plain_effect, "with other inputs the time changes by {}"},
    CauseRow{"bimodal", Cause::instability, distance, "its times fall into groups that are {} apart", distance},
    CauseRow{"level-shift", Cause::instability, shift, "the level changed by {}", shift, shift_change},
    CauseRow{"trials-disagree", Cause::instability, plain_effect,
             "the same point was {} slower when it was tried again"},
    CauseRow{"memory-grows", Cause::instability, plain_effect, "memory grew by {} of its peak while it was watched"},
    CauseRow{"drift", Cause::instability, half_drift, "it drifts by {}", shown_drift, drift_change},
    // Of the time, not of the median: they move the mean.
    CauseRow{"outliers", Cause::instability, no_effect, "outliers take {} of the time", time_share},
    CauseRow{"not-converged", Cause::instability, half_width, "it was not measured for long enough", half_width},
    CauseRow{"autocorrelated", Cause::instability, no_effect,
             "neighbouring requests are correlated, so few of them count", shown_lag},
    CauseRow{"too-few-samples", Cause::sample, no_effect},
    CauseRow{"one-sample", Cause::sample, no_effect},
    CauseRow{"no-sample", Cause::sample, no_effect},
    CauseRow{"few-launches", Cause::sample, no_effect},
    CauseRow{"launch-trend", Cause::instability, plain_effect, "it changes by {} each time", plain_effect,
             trend_change},
    CauseRow{"undecided", Cause::sample, no_effect},
};

constexpr CauseRow kUnlisted{"", Cause::other};

const CauseRow& row_for(const Finding& f) {
  const auto it = std::find_if(kCauseRows.begin(), kCauseRows.end(), [&](const CauseRow& c) { return c.id == f.id; });
  return it == kCauseRows.end() ? kUnlisted : *it;
}

// In the order of Cause.
constexpr std::array<std::string_view, 12> kTitles{
    "the result itself is in question",
    "the conditions differ",
    "the clock is part of the number",
    "the machine was disturbed",
    "the device's clock was not at its best",
    "it was not warm yet",
    "the inputs are not typical",
    "the time was not steady",
    "there are too few samples",
    "other findings",
    "notes",
    "advice",
};

// A disturbance makes times unsteady, and unsteady times need more samples: of the two the disturbance is the cause,
// unless it is far too small for that.
constexpr double kSymptom = 0.25;

double weight(const CauseGroup& g) {
  if (g.cause == Cause::validity || g.cause == Cause::conditions) return std::numeric_limits<double>::max();
  const bool symptom = g.cause == Cause::instability || g.cause == Cause::sample;
  return g.effect.value_or(0) * (symptom ? kSymptom : 1);
}

Severity severity_of(const CauseGroup& g) {
  return counts_for_verdict(*g.findings.front()) ? g.findings.front()->severity : Severity::note;
}

void complete(CauseGroup& g) {
  std::stable_sort(g.findings.begin(), g.findings.end(), matters_more);
  g.counts = counts_for_verdict(*g.findings.front());
  g.phrase = short_phrase(*g.findings.front());
  for (const Finding* f : g.findings) {
    if (counts_for_verdict(*f)) g.effect = std::max(g.effect, effect_of(*f));
  }
}

// "The machine was disturbed" is true only where something says that it mattered.
Cause group_of(const Finding& f, const std::vector<Cause>& doubted) {
  if (f.about == About::workload) return Cause::advice;
  const Cause cause = row_for(f).cause;
  return std::find(doubted.begin(), doubted.end(), cause) == doubted.end() ? Cause::notes : cause;
}

bool leads(const CauseGroup& a, const CauseGroup& b) {
  if (a.counts != b.counts) return a.counts;
  if (a.counts && severity_of(a) != severity_of(b)) return severity_of(a) > severity_of(b);
  if (a.counts && weight(a) != weight(b)) return weight(a) > weight(b);
  return a.cause < b.cause;
}

}  // namespace

bool counts_for_verdict(const Finding& f) {
  return f.about != About::workload && f.severity != Severity::note;
}

bool matters_more(const Finding* a, const Finding* b) {
  if (counts_for_verdict(*a) != counts_for_verdict(*b)) return counts_for_verdict(*a);
  if (a->severity != b->severity) return a->severity > b->severity;
  return effect_of(*a).value_or(0) > effect_of(*b).value_or(0);
}

std::optional<double> effect_of(const Finding& f) {
  return row_for(f).effect(f);
}

std::string effect_text(double effect) {
  return effect > 1 ? "more than 100 %" : format_percent(effect);
}

std::string short_phrase(const Finding& f) {
  const CauseRow& row = row_for(f);
  const Reading shown = row.phrase.empty() ? Reading{} : row.shown(f);
  return shown ? fmt::format(fmt::runtime(row.phrase), format_percent(*shown)) : f.message;
}

std::string change_text(const Finding& f) {
  const CauseRow& row = row_for(f);
  if (const Reading change = row.change(f)) return (*change > 0 ? "+" : "") + format_percent(*change);
  const Reading shown = row.shown(f);
  return shown ? format_percent(*shown) : "";
}

std::vector<CauseGroup> by_cause(const std::vector<Finding>& findings) {
  std::vector<Cause> doubted;
  for (const Finding& f : findings) {
    if (counts_for_verdict(f)) doubted.push_back(row_for(f).cause);
  }
  std::vector<CauseGroup> groups;
  for (const Finding& f : findings) {
    const Cause cause = group_of(f, doubted);
    auto it = std::find_if(groups.begin(), groups.end(), [&](const CauseGroup& g) { return g.cause == cause; });
    if (it == groups.end()) it = groups.insert(it, {.cause = cause, .title = kTitles[static_cast<std::size_t>(cause)]});
    it->findings.push_back(&f);
  }
  for (CauseGroup& g : groups) complete(g);
  std::stable_sort(groups.begin(), groups.end(), leads);
  return groups;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// How the clock was used: what escaped it, what it cost, and what each way to time gets wrong.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_names.h"
#include "record/scalars.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

bool setting_is(const Case& c, const char* key, const char* value) {
  return fact<std::string>(c.settings, key) == value;
}

bool setting_is(const Case& c, const char* key, bool value) {
  return fact<bool>(c.settings, key) == value;
}

const Metric* reading_of(const Case& c) {
  const auto it = c.metrics.find(metric::reading);
  return it != c.metrics.end() && it->second.known() ? &it->second : nullptr;
}

double cost_of(const Record& r, const char* key) {
  const auto it = r.device.calibration.find(key);
  return it == r.device.calibration.end() ? 0.0 : it->second;
}

// As long as a typical or an average request may take, by its intervals.
double at_most(const Metric& m) {
  const double mean = m.mean ? m.mean->high.value_or(m.mean->value) : 0;
  return std::max(m.estimate.high.value_or(m.estimate.value), mean);
}

// How much slower the device's clock was in the full loop than behind the gate; at least 1.
double slower_when_full(const Record& r) {
  const auto& clocks = r.observations.clocks_per_pass;
  const auto gated = clocks.find(metric::device_time), full = clocks.find(metric::period);
  const bool known = gated != clocks.end() && full != clocks.end() && full->second > 0;
  return known ? std::max(1.0, gated->second / full->second) : 1;
}

}  // namespace

// Asked for, so that a profiler sees nothing else: no gate, no outputs looked at, no telemetry.
std::optional<Finding> one_pass(const Record& r) {
  const auto pass = fact<std::string>(r.settings, "pass");
  if (!pass) return {};
  return Finding{
      .id = "one-pass",
      .severity = Severity::warning,
      .message = fmt::format("one launch measured {} alone, for a profiler: nothing was checked beside it, and "
                             "a profiler slows what it watches",
                             *pass),
      .advice = "Read the profiler's own report; for a result leave --pass out."};
}

std::optional<Finding> gate_unsafe(const Record& r) {
  const auto& gate = r.observations.gate;
  if (!gate || gate->used || one_pass(r)) return {};
  return Finding{
      .id = "gate-unsafe",
      .severity = Severity::note,
      .message = fmt::format("device time is unknown: {}", gate->why_not),
      .advice =
          "Remove the synchronisation inside the workload, or replay a graph (--graph) where the queue is too short; "
          "'span' includes waiting for the host."};
}

// With a full queue a request takes as long as the host needs to submit it, or the device to do it, whichever is
// longer. Where it takes longer than both, the device does something that the gated reading has not seen: it ran while
// the gate was closed. A rate counts slow requests that a median does not, so the intervals must not meet.
std::optional<Finding> gate_leak(const Record& r) {
  constexpr double kMore = 1.05, kLoopWaits = 4;
  const Metric *period = r.find(metric::period), *submit = r.find(metric::submit), *work = r.find(metric::device_time);
  if (!period || !submit || !work || fact<std::int64_t>(r.settings, "in_flight").value_or(2) < 2) return {};
  const double loop = kLoopWaits * (cost_of(r, "mark_ns") + cost_of(r, "sync_ns"));
  const double host = at_most(*submit) + loop, device = at_most(*work) * slower_when_full(r);
  const double least = period->estimate.low.value_or(period->estimate.value);
  if (least <= kMore * std::max(host, device)) return {};
  const double effect = period->estimate.value / work->estimate.value - 1;
  return Finding{
      .id = "gate-leak",
      .severity = Severity::warning,
      .message = fmt::format(
          "with a full queue a request takes {}, but its device time is {} and submitting it takes {}: "
          "a part of the work runs while the gate is closed, and the device time misses it",
          format_time(period->estimate.value), format_time(work->estimate.value), format_time(submit->estimate.value)),
      .advice =
          "Let the workload's other streams wait for an event of the measured one before they begin; until then "
          "take the period for the device's time.",
      .evidence = {{"effect", effect}, {"period_ns", period->estimate.value}}};
}

std::optional<Finding> work_escaped(const Record& r) {
  const char* whole = r.find(metric::span) ? metric::span : metric::latency;
  const Metric* request = r.find(whole);
  if (!r.observations.escaped_ns || !request) return {};
  const double escaped = *r.observations.escaped_ns, share = escaped / request->estimate.value;
  // It is a difference of two waits on the host's clock: less than they cost themselves is no sign of anything.
  const double noise = std::max(2 * request->facts.tick, 2 * (cost_of(r, "device_sync_ns") + cost_of(r, "sync_ns")));
  if (escaped <= noise || share <= 0.01) return {};
  return Finding{
      .id = "work-escaped",
      .severity = Severity::invalid,
      .message = fmt::format("the device still works for {} after the request's end mark ({} of {}): part of the "
                             "work is on another stream",
                             format_time(escaped), format_percent(share), whole),
      .advice = "Make the workload join its streams before it returns, or measure with device-wide synchronisation.",
      .evidence = {{"escaped_ns", escaped}, {"share", share}}};
}

// A pair of marks reads more than what is between them: by as much as a pair around a kernel that does nothing, which
// is more than a pair around nothing. It is part of every device reading, and shown, not subtracted.
std::optional<Finding> marks_cost(const Record& r) {
  const bool kernel = r.device.calibration.contains("kernel_pair_ns");
  const double pair = cost_of(r, kernel ? "kernel_pair_ns" : "mark_pair_ns");
  const char* timed = r.find(metric::device_time) ? metric::device_time : metric::span;
  const Metric* work = r.find(timed);
  if (pair <= 0 || !work || work->estimate.value <= 0) return {};
  const double effect = pair / work->estimate.value;
  if (effect <= 0.01) return {};
  return Finding{
      .id = "marks-cost",
      .severity = by_effect(effect, r, timed),
      .message = fmt::format(
          "a pair of marks around {} reads {}, {} of the device time: every device reading includes that much",
          kernel ? "an empty kernel" : "nothing", format_time(pair), format_percent(effect)),
      .advice = "Raise the batch, or time blocks of requests.",
      .evidence = {{"effect", effect}}};
}

std::optional<Finding> unsynchronized(const Record& r, const Case& c) {
  constexpr double kMissed = 0.05;
  const Metric *reading = reading_of(c), *latency = r.find(metric::latency);
  if (!r.device.asynchronous || !reading || !latency || !setting_is(c, "clock", "host") ||
      !setting_is(c, "wait", "none"))
    return {};
  const double missed = 1 - reading->estimate.value / latency->estimate.value;
  if (missed <= kMissed) return {};
  return Finding{.id = "unsynchronized",
                 .severity = Severity::invalid,
                 .message = fmt::format("the clock is stopped before the work is done: {} of the latency is missing",
                                        format_percent(missed)),
                 .advice = "Wait for the device before reading the clock.",
                 .evidence = {{"missed", missed}}};
}

// The host's clock reads the device's pace once the queue is full: then a reading without a wait looks right, and in
// between it is a mixture of two. Another cause makes another pace.
std::optional<Finding> queue_full(const Record& r, const Case& c) {
  constexpr double kSamePace = 0.15;
  const Metric* pace = r.find(metric::period) ? r.find(metric::period) : r.find(metric::device_time);
  if (!r.device.asynchronous || !c.queue || !pace) return {};
  const FullQueue& q = *c.queue;
  if (std::fabs(q.full_ns / pace->estimate.value - 1) > kSamePace) return {};
  return Finding{
      .id = "queue-full",
      .severity = Severity::note,
      .message = fmt::format("the queue was full after {} requests, about {:.0f} of them in flight: then the host "
                             "waits for the device, and submitting takes {} instead of {}",
                             q.after, q.in_flight, format_time(q.full_ns), format_time(q.free_ns)),
      .advice = "Wait for the device: what such a clock reads depends on how many requests it is asked for.",
      .evidence = {{"after", static_cast<double>(q.after)},
                   {"in_flight", q.in_flight},
                   {"free_ns", q.free_ns},
                   {"full_ns", q.full_ns}}};
}

namespace {

// A single cold call has no other readings to stand out from.
std::optional<Finding> cold_call(const Record& r, const Metric& reading) {
  const Metric* latency = r.find(metric::latency);
  if (!latency || latency->estimate.value <= 0) return {};
  const double times = reading.estimate.value / latency->estimate.value;
  if (times <= 1.05) return {};
  return Finding{.id = "no-warm-up",
                 .severity = by_effect(times - 1, r),
                 .message = fmt::format("one cold call takes {:.3g} times the latency of a warm one", times),
                 .advice = "Leave the first requests out; of how long a start takes, `startup` has the parts.",
                 .evidence = {{"effect", times - 1}}};
}

}  // namespace

std::optional<Finding> no_warm_up(const Record& r, const Case& c) {
  const Metric* reading = reading_of(c);
  if (reading && setting_is(c, "once", true)) return cold_call(r, *reading);
  if (!reading || !reading->mean || !setting_is(c, "warmup", false)) return {};
  const double effect = reading->mean->value / reading->estimate.value - 1;
  if (std::fabs(effect) <= 0.005) return {};
  return Finding{.id = "no-warm-up",
                 .severity = by_effect(std::fabs(effect), *reading),
                 .message = fmt::format("the first requests are counted: the mean is {} {} than a typical request",
                                        format_percent(std::fabs(effect)), effect > 0 ? "more" : "less"),
                 .advice = "Leave the first requests out.",
                 .evidence = {{"effect", effect}}};
}

std::optional<Finding> copy_inside_timing(const Record& r, const Case& c) {
  const Metric *reading = reading_of(c), *latency = r.find(metric::latency);
  if (!reading || !latency || !setting_is(c, "copies", true)) return {};
  const double effect = reading->estimate.value / latency->estimate.value - 1;
  if (effect <= 0.01) return {};
  return Finding{
      .id = "copy-inside-timing",
      .severity = by_effect(effect, r),
      .message = fmt::format("the copies of inputs and outputs are inside: they add {}", format_percent(effect)),
      .advice = "Call it end to end, or keep the tensors on the device.",
      .evidence = {{"effect", effect}}};
}

std::optional<Finding> kernel_launch_gaps(const Record& r, const Case& c) {
  const Metric *reading = reading_of(c), *work = r.find(metric::device_time);
  if (!reading || !work || !setting_is(c, "clock", "device") || !setting_is(c, "queue", "drained") ||
      !setting_is(c, "form", "eager"))
    return {};
  const double gap = 1 - work->estimate.value / reading->estimate.value;
  if (gap < 0.05) return {};
  return Finding{.id = "host-bound",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("{} of the reading is the device waiting for the host", format_percent(gap)),
                 .advice = "Read it as latency, or queue the work ahead (gated).",
                 .evidence = {{"gap", gap}}};
}

// With a flushed cache it takes longer: the usual figure has the weights in the cache already.
std::optional<Finding> cache_hot(const Record& r, const Case& c) {
  const Metric* reading = reading_of(c);
  const Metric* hot = c.claims == metric::latency ? r.find(metric::latency) : r.find(metric::device_time);
  if (!reading || !hot || !setting_is(c, "cache", "cold")) return {};
  const double effect = reading->estimate.value / hot->estimate.value - 1;
  if (effect <= 0.03) return {};
  return Finding{.id = "cache-hot",
                 .about = About::workload,
                 .severity = Severity::note,
                 .message = fmt::format("with a cold cache it takes {} longer", format_percent(effect)),
                 .advice =
                     "Decide which of the two is like your deployment: --cache cold flushes the cache before each "
                     "request, --input-sets cache rotates over more inputs than it holds.",
                 .evidence = {{"effect", effect}}};
}

std::optional<Finding> same_input(const Record& r, const Case& c) {
  const Metric* reading = reading_of(c);
  const char* reference = c.claims == metric::latency ? metric::latency : metric::device_time;
  const Metric* rotating = r.find(reference);
  if (!reading || !rotating || !setting_is(c, "input", "same")) return {};
  const double effect = 1 - reading->estimate.value / rotating->estimate.value;
  if (std::fabs(effect) <= 0.01) return {};
  return Finding{.id = "same-input",
                 .severity = by_effect(std::fabs(effect), r, reference),
                 .message = fmt::format("with the same input each time it reads {} {}",
                                        format_percent(std::fabs(effect)), effect > 0 ? "less" : "more"),
                 .advice = "Rotate the inputs.",
                 .evidence = {{"effect", effect}}};
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// How many samples there are, and what they can carry.
#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"
#include "record/metric_info.h"
#include "record/study_info.h"
#include "stats/effective_size.h"
#include "verdict/detectors.h"

namespace strobe {
namespace {

struct FewTicks {
  std::string metric;
  double ticks = 0, tick = 0;
};

// The one with the fewest ticks below 50, if any.
std::optional<FewTicks> fewest_ticks(const Record& r, std::initializer_list<const char*> metrics) {
  constexpr double kFewTicks = 50;
  FewTicks worst{.metric = {}, .ticks = kFewTicks};
  for (const char* name : metrics) {
    const Metric* m = r.find(name);
    if (!m || m->facts.tick <= 0 || m->estimate.value <= 0) continue;
    if (const double ticks = m->estimate.value / m->facts.tick; ticks < worst.ticks)
      worst = {.metric = name, .ticks = ticks, .tick = m->facts.tick};
  }
  return worst.metric.empty() ? std::nullopt : std::optional(worst);
}

}  // namespace

// Interrupted before anything counted: there is nothing to trust.
std::optional<Finding> no_sample(const Record& r) {
  const Answer answer = study_info(r).answer;
  if (answer == Answer::rate || answer == Answer::amount || r.metrics.empty() || r.headline() || one_pass(r)) return {};
  return Finding{.id = "no-sample",
                 .severity = Severity::invalid,
                 .message = "no request was measured after the warm-up",
                 .advice = "Let it run longer.",
                 .evidence = {{"n", 0}}};
}

std::optional<Finding> one_sample(const Record& r) {
  const Metric* latency = r.headline();
  if (!latency || latency->n != 1) return {};
  return Finding{.id = "one-sample",
                 .severity = Severity::invalid,
                 .message = "there is one sample: nothing is known about how it varies",
                 .advice = "Measure more requests.",
                 .evidence = {{"n", 1}}};
}

std::optional<Finding> too_few_samples(const Record& r) {
  const Metric* latency = r.headline();
  if (!latency || latency->n < 2 || (latency->n >= 20 && latency->estimate.bounded())) return {};
  return Finding{.id = "too-few-samples",
                 .severity = Severity::warning,
                 .message = fmt::format("there are {} samples, {}", latency->n,
                                        latency->estimate.bounded() ? "fewer than 20" : "too few to bound the median"),
                 .advice = std::string(study_info(r).advice.more_samples),
                 .evidence = {{"n", static_cast<double>(latency->n)}}};
}

std::optional<Finding> not_converged(const Record& r) {
  constexpr double kVague = 0.05;
  const Metric* latency = r.headline();
  const Metric* answer = latency ? latency : r.find(metric::throughput);
  const double width = answer ? answer->estimate.relative_half_width().value_or(0) : 0;  // 0: it is not known
  if (r.status == Status::not_converged) {
    Finding f{.id = "not-converged",
              .severity = Severity::warning,
              .message = "the time was up before the result was certain: " + r.status_reason,
              .advice = std::string(study_info(r).advice.more_time)};
    if (width > 0) f.evidence["half_width"] = width;
    return f;
  }
  if (r.status != Status::fixed || !latency || width <= kVague) return {};
  return Finding{.id = "not-converged",
                 .severity = Severity::warning,
                 .message = fmt::format("with {} the median is known to ±{} only",
                                        counted(latency->n, "request", "requests"), format_percent(width)),
                 .advice = std::string(study_info(r).advice.more_samples),
                 .evidence = {{"half_width", width}}};
}

// Neighbours alike make samples count for less. The intervals are widened for it; only when little independent
// information is left are they themselves in doubt.
std::optional<Finding> autocorrelated(const Record& r) {
  constexpr double kNoted = 0.3;
  const Metric* latency = r.headline();
  if (!latency || !latency->facts.lag1 || latency->n < 20 || *latency->facts.lag1 <= kNoted ||
      latency->n_eff > 0.9 * static_cast<double>(latency->n))
    return {};
  const bool thin = latency->n >= 100 && latency->n_eff < stats::kReliableEffective;
  return Finding{
      .id = "autocorrelated",
      .severity = thin ? Severity::warning : Severity::note,
      .message = fmt::format("neighbouring requests are correlated (correlation {:.2f}): {} samples count as {:.0f}; "
                             "the intervals are wider for it",
                             *latency->facts.lag1, format_count(latency->n), latency->n_eff),
      .advice =
          thin ? "Measure longer (--min-time): with this few independent samples even the wider interval is in doubt."
               : "Nothing to do: the intervals allow for it.",
      .evidence = {{"lag1", *latency->facts.lag1}, {"n_eff", latency->n_eff}}};
}

// A figure of few ticks is mostly rounding: half a tick either way is the effect. Of somebody else's submit it is a
// note: no other figure is worse for it.
std::optional<Finding> timer_resolution(const Record& r) {
  constexpr double kHopeless = 5;
  auto worst =
      fewest_ticks(r, {metric::latency, metric::span, metric::device_time, metric::replay_time, metric::reading});
  const bool aside = !worst && study_info(r).foreign;
  if (aside) worst = fewest_ticks(r, {metric::submit});
  if (!worst) return {};
  const auto& [metric, ticks, tick] = *worst;
  return Finding{.id = "timer-resolution",
                 .severity = aside               ? Severity::note
                             : ticks < kHopeless ? Severity::invalid
                                                 : Severity::warning,
                 .message = fmt::format("{} is only {:.1f} ticks of its clock ({} each): a reading may be off by {}",
                                        metric_label(metric), ticks, format_time(tick), format_percent(0.5 / ticks)),
                 .advice = "Time blocks of requests, or raise the batch.",
                 .evidence = {{"ticks", ticks}, {"tick_ns", tick}}};
}

// Outliers stay in every figure. Few of them are ordinary; worth a word when they are one in a hundred, worth a doubt
// when they carry one twentieth of the time.
std::optional<Finding> outliers(const Record& r) {
  constexpr double kNoted = 0.01, kHeavy = 0.05;
  const Metric* latency = r.headline();
  if (!latency || latency->n < 20 || std::max(latency->outliers.share, latency->outliers.time_share) < kNoted)
    return {};
  const Outliers& o = latency->outliers;
  return Finding{
      .id = "outliers",
      .severity = o.time_share > kHeavy ? Severity::warning : Severity::note,
      .message = fmt::format(
          "{} of {} requests are outliers ({} of the time; the slowest took {}): the mean is not typical",
          format_count(o.count), format_count(latency->n), format_percent(o.time_share), format_time(o.largest)),
      .advice = "Read the median and the percentiles; look for what else runs on this machine.",
      .evidence = {{"share", o.share}, {"time_share", o.time_share}}};
}

}  // namespace strobe

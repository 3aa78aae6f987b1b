// SPDX-License-Identifier: Apache-2.0
#include "measure/analysis.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/format.h"
#include "base/unit_names.h"
#include "measure/energy_metrics.h"
#include "measure/launch_length.h"
#include "measure/readings.h"
#include "measure/request_lanes.h"
#include "record/estimates.h"
#include "record/metric_names.h"
#include "stats/curve.h"
#include "stats/middle.h"
#include "stats/next_launch.h"
#include "stats/pass_coupling.h"
#include "stats/quantile.h"
#include "stats/summary.h"
#include "stats/throughput.h"
#include "stats/tick.h"
#include "stats/warmup.h"

namespace strobe {
namespace {

constexpr double kSigmaPerMad = 1.4826;    // of a normal distribution
constexpr std::size_t kCurvePoints = 500;  // more than a chart has pixels to show

const char* settling_word(stats::Settling s) {
  switch (s) {
    case stats::Settling::flat:
      return "flat";
    case stats::Settling::warm_up:
      return "warm-up";
    case stats::Settling::slow_down:
      return "slow-down";
    case stats::Settling::not_settled:
      return "not-settled";
  }
  return "flat";
}

Facts facts_of(const stats::Summary& s, const SeriesData& series) {
  Facts f;
  const double window = series.at_seconds.empty() ? 0 : series.at_seconds.back() - series.at_seconds.front();
  f.drift = std::expm1(s.drift.change);
  f.drifting = s.drift.flagged;
  if (window > 0) f.drift_per_minute = *f.drift * 60 / window;
  const auto& pieces = s.shifts.pieces;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::size_t first = s.blocks[pieces[i].blocks.begin].begin;
    f.shifts.push_back({series.at_seconds.empty() ? static_cast<double>(first) : series.at_seconds[first],
                        std::exp(pieces[i].level - pieces[i - 1].level)});
  }
  f.regime_switching = s.shifts.kind == stats::ShiftKind::regime_switching;
  if (s.modes.modes.size() > 1) {
    for (const stats::Mode& mode : s.modes.modes) f.modes.push_back({mode.centre, mode.share});
  }
  f.modes_ordered = s.modes.ordered;
  f.lag1 = s.lag1;
  f.tick = s.tick;
  f.n_eff_tau = s.size.tau;
  const stats::PassCoupling coupling = stats::pass_coupling(series.view());
  if (coupling.effect.low) {
    f.coupling = std::exp(coupling.effect.value);
    f.coupled = coupling.coupled;
  }
  return f;
}

// What a further cut would take off the mean, where that is more than the steady part's own uncertainty and 0.5 %.
std::optional<double> warmup_bias(const SeriesData& series, const stats::Warmup& w) {
  constexpr double kWorthSaying = 0.005;
  // Not settled at all: the second half is the best there is to compare with.
  const std::size_t cut = w.state == stats::Settling::not_settled ? series.values.size() / 2 : w.sample;
  if (cut == 0 || cut >= series.values.size()) return std::nullopt;
  const auto mean = [](std::span<const double> xs) {
    return std::accumulate(xs.begin(), xs.end(), 0.0) / static_cast<double>(xs.size());
  };
  const stats::Series steady = stats::from(series.view(), cut);
  const double kept = mean(steady.values);
  if (kept <= 0) return std::nullopt;
  stats::SummaryOptions options;
  options.percentiles = {};
  options.pictures = false;
  const auto width = stats::relative_half_width(stats::summarize(steady, options).median, series.tick);
  const double bias = mean(series.values) / kept - 1;
  return std::fabs(bias) > std::max(kWorthSaying, width.value_or(0)) ? std::optional(bias) : std::nullopt;
}

// Rounds weigh alike, however many requests fitted into each.
void describe_rounds(const SeriesData& series, Facts& f) {
  std::vector<double> medians, round, spreads;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    round.push_back(series.values[i]);
    if (i + 1 < series.values.size() && series.round[i + 1] == series.round[i]) continue;
    const double median = stats::median_of(round);
    for (double& x : round) x = std::fabs(x - median);
    if (median > 0) spreads.push_back(kSigmaPerMad * stats::median_of(round) / median);
    medians.push_back(median);
    round.clear();
  }
  f.median_of_rounds = stats::median_of(medians);
  f.rounds = medians.size();
  if (!spreads.empty()) f.request_spread = stats::median_of(spreads);
  if (medians.size() >= 3) f.round_spread = stats::relative_spread(medians);
}

// One metric from one column of one pass.
Metric metric_of(const Samples& samples, Column column, const Measurement& m, const Options& o) {
  const double tick = m.tick_of(column);
  const nanoseconds cut = m.steady_from();
  const SeriesData series = series_of(samples, column, cut, tick, o.requests.value_or(SIZE_MAX));
  Metric metric = describe_series(series, o);
  if (!metric.known()) return metric;
  const stats::Warmup w = stats::find_warmup(series.view());
  metric.facts.warmup_end_seconds = to_seconds(cut);
  metric.facts.warmup_state = settling_word(w.state);
  metric.facts.warmup_bias = warmup_bias(series, w);
  describe_rounds(series, metric.facts);
  const SeriesData whole = whole_series(samples, column, tick);
  for (const stats::Bucket& b : stats::curve(whole.view(), kCurvePoints))
    metric.curve.push_back({b.t, b.low, b.median, b.high, b.n});
  return metric;
}

// What the device saw of each segment.
std::vector<stats::Segment> segments_of(const std::vector<RoundWindow>& windows, nanoseconds cut) {
  std::vector<stats::Segment> segments;
  for (const RoundWindow& w : windows) {
    if (w.begin >= cut) segments.push_back({w.full.requests + 1, 0, to_seconds(w.full.length)});
  }
  return segments;
}

// The same by the host's clock: completions of each segment, as the throughput formula takes them.
std::vector<stats::Segment> segments_of(const Samples& samples, nanoseconds cut) {
  std::vector<stats::Segment> segments;
  std::uint32_t round = UINT32_MAX;
  for (const Sample& s : samples) {
    if (s.state != SampleState::kept || s.begin < cut) continue;
    if (s.round != round) {
      segments.push_back({0, to_seconds(s.done), 0});
      round = s.round;
    }
    stats::Segment& segment = segments.back();
    // The first sample only starts the clock: its own requests are not counted, those of later samples are.
    segment.completed += segment.completed == 0 ? 1 : s.requests;
    segment.last = to_seconds(s.done);
  }
  return segments;
}

// The rate and the time per request, under these names.
void add_throughput(const PassSamples& p, const Measurement& m, Record& record,
                    const char* rate_name = metric::throughput, const char* period_name = metric::period) {
  auto segments = segments_of(p.windows, m.steady_from());
  if (segments.empty()) segments = segments_of(p.samples, m.steady_from());
  // A segment of slow requests has only five.
  const stats::Throughput t =
      stats::throughput(segments, m.items, {}, m.probe.typical > kSlowRequest ? 5 : stats::kFewestCompletions);
  Metric rate, period;
  if (t.segments == 0) {
    rate.unknown = period.unknown = "too few requests in a row to count completions";
  } else {
    std::uint64_t n = 0;
    for (const stats::Segment& s : segments) n += s.completed;
    rate.unit = unit::items_per_second;
    rate.n = period.n = n;
    rate.n_eff = period.n_eff = static_cast<double>(t.segments);
    rate.estimate = from_stats(t.items_per_second);
    period.estimate = from_stats(t.period);
    const auto scale = [](std::optional<double>& x) {
      if (x) *x *= 1e9;
    };
    period.estimate.value *= 1e9;
    scale(period.estimate.low);
    scale(period.estimate.high);
  }
  record.metrics[rate_name] = std::move(rate);
  if (period_name) record.metrics[period_name] = std::move(period);
}

// What requests beside the loading of libraries took beyond a typical one, as a share of all requests' time.
double loading_share(const Measurement& m, double typical) {
  const nanoseconds cut = m.steady_from();
  const auto spans = m.around->loading(m.begun + cut);
  if (spans.empty()) return 0;
  double excess = 0, all = 0;
  for (const Sample& s : m.passes.front().samples) {
    if (s.state != SampleState::kept || s.begin < cut) continue;
    const double took = to_double(s.done - s.begin);
    all += took;
    if (std::any_of(spans.begin(), spans.end(),
                    [&](const auto& x) { return m.begun + s.begin >= x.first && m.begun + s.done <= x.second; }))
      excess += std::max(0.0, took - typical * s.requests);
  }
  return all > 0 ? excess / all : 0;
}

// How long host or device are busy, and the lanes of one such request.
void add_union_time(const Measurement& m, Record& record) {
  Metric& united = record.metrics[metric::union_time] = describe_placed(m.united.ns, m.tick, m.united.uncertainty);
  if (!m.united.why_not.empty()) {
    united = {};
    united.unknown = m.united.why_not;
  }
  record.timeline = request_lanes(m.united);
  if (!record.timeline.empty()) record.observations.timeline_uncertainty_ns = to_double(m.united.uncertainty);
}

// One request after a pause at a time: no rounds, and no curve, whose times would be those of the pauses.
Metric metric_after_pauses(const IdleSamples& s, Column column, const Options& o) {
  Metric m;
  m.unknown = s.why_not;
  if (!m.known()) return m;
  m = describe_series(series_of(s.samples, column, 0ns, 1), o);
  m.histogram = {};
  return m;
}

IdleResult result_after_pauses(const IdleSamples& s, const Measurement& m, const Options& o, const Metric* busy) {
  IdleResult r{.pause_ns = to_double(s.pause.length), .random = s.pause.random, .before = s.before, .after = s.after};
  const Metric& latency = r.metrics[metric::latency] = metric_after_pauses(s, Column::latency, o);
  if (m.asynchronous) r.metrics[metric::submit] = metric_after_pauses(s, Column::submit, o);
  if (busy && latency.known() && busy->estimate.value > 0)
    r.difference = latency.estimate.value / busy->estimate.value - 1;
  return r;
}

}  // namespace

Estimate from_stats(const stats::Estimate& e) {
  return make_estimate(e.value, e.low, e.high, kTooFewRequests);
}

std::vector<double> reported_percentiles(const Options& o) {
  return o.percentiles.empty() ? std::vector<double>{0.9, 0.99} : o.percentiles;
}

Metric describe_series(const SeriesData& series, const Options& o) {
  Metric metric;
  if (series.values.empty()) {
    metric.unknown = "no request was measured after the warm-up";
    return metric;
  }
  stats::SummaryOptions options;
  options.percentiles = reported_percentiles(o);
  options.margin = launch_length(o).margin;
  const stats::Summary s = stats::summarize(series.view(), options);
  metric.n = s.n;
  metric.n_eff = s.size.n_eff;
  metric.estimate = from_stats(s.median);
  metric.mean = from_stats(s.mean);
  metric.stddev = s.stddev;
  metric.min = s.min;
  metric.max = s.max;
  metric.outliers = {s.outliers.index.size(), s.outliers.share, s.outliers.time_share,
                     s.outliers.largest ? series.values[*s.outliers.largest] : 0};
  for (const stats::Percentile& p : s.percentiles) {
    if (p.needs)
      metric.percentiles.push_back({p.p, std::nullopt, p.needs});
    else
      metric.percentiles.push_back({p.p, from_stats(p.estimate), std::nullopt});
  }
  metric.facts = facts_of(s, series);
  metric.histogram = {s.histogram.edges, {s.histogram.counts.begin(), s.histogram.counts.end()}};
  return metric;
}

void analyse(const Measurement& m, const Options& o, Record& record) {
  for (const PassSamples& p : m.passes) {
    const std::string metric(p.pass.metric);
    if (metric == metric::replay_throughput) {
      add_throughput(p, m, record, metric::replay_throughput, nullptr);
    } else if (p.pass.method.queue == Method::Queue::full) {
      add_throughput(p, m, record);
      record.metrics[metric::latency_loaded] = metric_of(p.samples, Column::latency, m, o);
    } else {
      record.metrics[metric] =
          metric_of(p.samples, p.pass.method.clock == Method::Clock::device ? Column::device : Column::latency, m, o);
    }
    if (p.pass.metric != metric::latency) continue;
    if (m.asynchronous)
      record.metrics[metric::submit] = metric_of(p.samples, Column::submit, m, o);
    else
      add_throughput(p, m, record);  // one loop: every request is followed by the next
  }
  if (!m.united.ns.empty()) add_union_time(m, record);
  for (const IdleSamples& s : m.idle) record.idle.push_back(result_after_pauses(s, m, o, record.find(metric::latency)));
  if (m.energy) add_energy(*m.energy, m.items, record);
  for (const auto& [metric, why] : m.unknown) {
    record.metrics[metric] = {};
    record.metrics[metric].unknown = why;
  }
  record.status = m.status;
  if (!m.failure.empty()) record.status_reason = m.failure;
  if (m.status == Status::not_converged) record.status_reason = "too few requests";
  const nanoseconds cut = m.steady_from();
  record.window_ns = std::max(0.0, to_double(m.end - cut));
  record.startup.first_ns = to_double(m.probe.first);
  record.startup.warmup_requests = m.requests_before_cut;
  record.startup.warmup_ns = to_double(cut);
  if (m.asynchronous) record.observations.gate = m.gate;
  m.around->observe(m.begun + cut, record.observations);
  if (const Metric* latency = record.find(metric::latency); latency && record.observations.disturbances)
    record.observations.disturbances->loading_share = loading_share(m, latency->estimate.value);
  record.observations.allocations_per_request = m.allocations_per_request;
  if (m.kernels) record.observations.kernels_per_request = static_cast<double>(*m.kernels);
  if (m.copied_in > 0) record.observations.copied_in_bytes = m.copied_in;
  if (m.copied_out > 0) record.observations.copied_out_bytes = m.copied_out;
  record.device.calibration = m.calibration;
}

Metric describe_foreign(SeriesData all) {
  std::vector<double> sorted = all.values;
  std::sort(sorted.begin(), sorted.end());
  const double told = all.tick;
  all.tick = stats::guess_tick(sorted);
  // Two values only, or one: no fine clock reads that. The step between them, or the whole reading, is its tick.
  constexpr std::size_t kEnough = 10;
  if (told == 0 && all.tick == 0 && sorted.size() >= kEnough) {
    const std::size_t distinct = 1 + static_cast<std::size_t>(sorted.back() > sorted.front());
    if (distinct == 1 || std::count(sorted.begin(), sorted.end(), sorted.front()) +
                                 std::count(sorted.begin(), sorted.end(), sorted.back()) ==
                             static_cast<std::ptrdiff_t>(sorted.size()))
      all.tick = distinct == 1 ? sorted.front() : sorted.back() - sorted.front();
  }
  all.tick = std::max(all.tick, told);
  const stats::Warmup w = stats::find_warmup(all.view());
  // One slow call at the beginning is a warm-up even where there are too few to search for one.
  std::size_t cut = w.state == stats::Settling::not_settled ? 0 : w.sample;
  const double middle = sorted[sorted.size() / 2];
  while (cut < all.values.size() / 2 && cut < 20 && all.values[cut] > 2 * middle) ++cut;
  SeriesData steady = all;
  steady.values.erase(steady.values.begin(), steady.values.begin() + static_cast<std::ptrdiff_t>(cut));
  if (!steady.at_seconds.empty())
    steady.at_seconds.erase(steady.at_seconds.begin(), steady.at_seconds.begin() + static_cast<std::ptrdiff_t>(cut));
  Metric metric = describe_series(steady, {});
  metric.facts.warmup_end_seconds = 0;
  metric.facts.warmup_state = settling_word(w.state);
  const auto mean = [](const std::vector<double>& xs) {
    return std::accumulate(xs.begin(), xs.end(), 0.0) / static_cast<double>(xs.size());
  };
  if (cut > 0 && mean(steady.values) > 0) metric.facts.warmup_bias = mean(all.values) / mean(steady.values) - 1;
  for (const stats::Bucket& b : stats::curve(all.view(), kCurvePoints))
    metric.curve.push_back({b.t, b.low, b.median, b.high, b.n});
  return metric;
}

}  // namespace strobe

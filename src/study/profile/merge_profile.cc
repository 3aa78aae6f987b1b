// SPDX-License-Identifier: Apache-2.0
#include "study/profile/merge_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/format.h"
#include "measure/analysis.h"
#include "record/estimates.h"
#include "record/metric_names.h"
#include "stats/comparison.h"
#include "stats/next_launch.h"
#include "study/merge_metrics.h"

namespace strobe {
namespace {

// `within`: of the widest of the launches' own intervals, half the width, relative.
Estimate over_launches(const std::vector<double>& values, double within = 0) {
  if (values.size() < 2) return make_estimate(values.front(), {}, {}, "one launch says nothing about others");
  const stats::Estimate e = stats::predict_next_launch(values, within);
  return make_estimate(e.value, e.low, e.high, {});
}

const LayerResult* same_layer(const std::vector<LayerResult>& layers, const LayerResult& as) {
  const auto it = std::find_if(layers.begin(), layers.end(), [&](const LayerResult& l) {
    return l.name == as.name && l.type == as.type && l.where == as.where;
  });
  return it == layers.end() ? nullptr : &*it;
}

const KernelResult* same_kernel(const std::vector<KernelResult>& kernels, const KernelResult& as) {
  const auto it =
      std::find_if(kernels.begin(), kernels.end(), [&](const KernelResult& k) { return k.name == as.name; });
  return it == kernels.end() ? nullptr : &*it;
}

// Of shares: theirs add up to 1 still, as medians would not.
double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Layers that some launch does not have, because its runtime fused others, count 0 there.
template <class Part>
void merge_part(Part& part, const std::vector<Record>& profiled, std::vector<Part> ProfileAnswer::* parts,
                const Part* (*same)(const std::vector<Part>&, const Part&), std::vector<double>& times) {
  std::vector<double> shares;
  double within = 0;
  for (const Record& r : profiled) {
    const Part* p = same(r.profile.*parts, part);
    times.push_back(p ? p->time.value : 0);
    shares.push_back(p ? p->share : 0);
    if (p) within = std::max(within, p->time.relative_half_width().value_or(0));
  }
  part.time = over_launches(times, within);
  part.share = mean_of(shares);
}

void merge_parts(const std::vector<Record>& profiled, ProfileAnswer& answer) {
  for (LayerResult& l : answer.layers) {
    l.launches.clear();
    merge_part(l, profiled, &ProfileAnswer::layers, same_layer, l.launches);
  }
  for (KernelResult& k : answer.kernels) {
    std::vector<double> times;
    merge_part(k, profiled, &ProfileAnswer::kernels, same_kernel, times);
  }
}

constexpr std::array kShares{&ActivityShares::busy,        &ActivityShares::starved,
                             &ActivityShares::drained,     &ActivityShares::pipeline,
                             &ActivityShares::both,        &ActivityShares::host_only,
                             &ActivityShares::device_only, &ActivityShares::neither,
                             &ActivityShares::concurrency, &ActivityShares::copies_beside_kernels,
                             &ActivityShares::calls};

void merge_activity(const std::vector<Record>& profiled, ProfileAnswer& answer) {
  if (!answer.activity) return;
  for (const auto share : kShares) {
    std::vector<double> values;
    for (const Record& r : profiled) {
      if (r.profile.activity) values.push_back(((*r.profile.activity).*share).value);
    }
    (*answer.activity).*share = over_launches(values);
  }
}

std::optional<double> mean_over(const std::vector<Record>& profiled, std::optional<double> ProfileAnswer::* part) {
  std::vector<double> values;
  for (const Record& r : profiled) {
    if (r.profile.*part) values.push_back(*(r.profile.*part));
  }
  return values.empty() ? std::nullopt : std::optional(mean_of(values));
}

// Numbers add up; of what is known of each launch, the worst.
std::optional<TraceQuality> merge_quality(const std::vector<Record>& profiled) {
  std::optional<TraceQuality> all;
  for (const Record& r : profiled) {
    if (!r.profile.trace) continue;
    const TraceQuality& one = *r.profile.trace;
    if (!all) {
      all = one;
      continue;
    }
    all->records += one.records;
    all->lost += one.lost;
    all->early += one.early;
    all->earliest_ns = std::max(all->earliest_ns, one.earliest_ns);
    if (one.clock_ns) all->clock_ns = std::max(all->clock_ns.value_or(0), *one.clock_ns);
    if (one.excess_ns) all->excess_ns = std::max(all->excess_ns.value_or(0), *one.excess_ns);
    all->differing_requests += one.differing_requests;
    if (all->first_difference.empty()) all->first_difference = one.first_difference;
    if (all->held_by.empty()) all->held_by = one.held_by;
  }
  return all;
}

const Metric* latency_of(const Record& r) {
  return r.find(metric::latency);
}

std::optional<Estimate> slowdown_of(const std::vector<Record>& clean, const std::vector<Record>& profiled) {
  std::vector<double> log_ratios;
  for (std::size_t i = 0; i < std::min(clean.size(), profiled.size()); ++i) {
    const Metric *without = latency_of(clean[i]), *with = latency_of(profiled[i]);
    if (without && with && without->estimate.value > 0 && with->estimate.value > 0)
      log_ratios.push_back(std::log(with->estimate.value / without->estimate.value));
  }
  if (log_ratios.empty()) return std::nullopt;
  return from_stats(stats::compare_pairs(log_ratios).ratio);
}

// A tracer's time of a kernel is longer than the kernel: what is left between kernels is too little by as much.
void refuse_below_excess(const std::optional<TraceQuality>& trace, Metric& pause) {
  const double excess = trace ? trace->excess_ns.value_or(0) : 0;
  if (pause.estimate.value >= excess) return;
  pause = {};
  pause.unknown =
      fmt::format("it is less than the {} by which the tracer's time of each kernel is too long", format_time(excess));
}

// Device time without the profiler, busy with it: what is between kernels is the difference.
void add_inter_kernel(const std::vector<Record>& clean, const std::vector<Record>& profiled, Record& whole) {
  std::vector<double> pauses;
  for (std::size_t i = 0; i < std::min(clean.size(), profiled.size()); ++i) {
    const Metric *device = clean[i].find(metric::device_time), *busy = profiled[i].find(metric::busy);
    const auto kernels = profiled[i].observations.kernels_per_request;
    if (device && busy && kernels.value_or(0) > 0)
      pauses.push_back(std::max(0.0, (device->estimate.value - busy->estimate.value) / *kernels));
  }
  if (pauses.empty()) return;
  Metric& m = whole.metrics[metric::inter_kernel];
  m.n = pauses.size();
  m.n_eff = static_cast<double>(pauses.size());
  m.estimate = over_launches(pauses);
  const auto [least, most] = std::minmax_element(pauses.begin(), pauses.end());
  m.min = *least;
  m.max = *most;
  refuse_below_excess(whole.profile.trace, m);
}

void add_busy(const std::vector<Record>& profiled, Record& whole) {
  std::vector<const Metrics*> metrics;
  std::vector<Metrics> busy;
  for (const Record& r : profiled) {
    if (const auto m = r.metrics.find(metric::busy); m != r.metrics.end()) busy.push_back({*m});
  }
  if (busy.empty()) return;
  for (const Metrics& m : busy) metrics.push_back(&m);
  whole.metrics[metric::busy] = busy.size() < 2 ? busy.front().begin()->second : merge_metrics(metrics).begin()->second;
}

}  // namespace

void add_profiles(const std::vector<Record>& clean, const std::vector<Record>& profiled, Record& whole) {
  ProfileAnswer& answer = whole.profile;
  answer = profiled.front().profile;
  answer.requests = 0;
  for (const Record& r : profiled) {
    answer.requests += r.profile.requests;
    if (!r.unwritten.empty()) whole.unwritten = r.unwritten;
  }
  answer.slowdown = slowdown_of(clean, profiled);
  merge_parts(profiled, answer);
  merge_activity(profiled, answer);
  answer.outside = mean_over(profiled, &ProfileAnswer::outside);
  answer.unattributed = mean_over(profiled, &ProfileAnswer::unattributed);
  answer.threads_busy = mean_over(profiled, &ProfileAnswer::threads_busy);
  answer.trace = merge_quality(profiled);
  add_busy(profiled, whole);
  add_inter_kernel(clean, profiled, whole);
  whole.timeline = profiled.front().timeline;
  if (!whole.observations.kernels_per_request)
    whole.observations.kernels_per_request = profiled.front().observations.kernels_per_request;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "study/profile/profile_answer.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "measure/readings.h"
#include "record/metric_names.h"
#include "stats/middle.h"
#include "stats/tick.h"
#include "trace/activity.h"
#include "trace/layer_times.h"

namespace strobe {
namespace {

// Times of one part of the requests: what is not in a request counts 0 there.
struct PartTimes {
  std::vector<double> ns;
  double calls = 0, kernels = 0;

  double sum() const {
    double s = 0;
    for (const double x : ns) s += x;
    return s;
  }
};

double whole_of(const ProfiledRequests& p) {
  double sum = 0;
  for (const trace::RequestTrace& t : p.requests) sum += to_double(t.length);
  return std::max(sum, 1.0);
}

trace::LayerTimes layers_of(const trace::RequestTrace& t, bool on_device) {
  return on_device ? trace::layer_times_on_device(t) : trace::layer_times_on_host(t);
}

using LayerKey = std::tuple<std::string, std::string, std::string>;  // name, type, where

// Of a runtime's profiler, which writes whole microseconds at worst. A few layers whose times have a large divisor are
// no coarse clock.
double tick_of_profiler(const std::map<LayerKey, PartTimes>& parts) {
  constexpr double kCoarsest = 1e3;
  std::vector<double> times;
  for (const auto& [key, part] : parts) times.insert(times.end(), part.ns.begin(), part.ns.end());
  std::erase(times, 0.0);
  std::sort(times.begin(), times.end());
  return std::min(kCoarsest, stats::guess_tick(times));
}

Estimate layer_time(const PartTimes& part, double tick) {
  const double value = stats::middle_of(part.ns);
  if (tick <= 1) return {.value = value};
  return {.value = value, .low = std::max(0.0, value - tick / 2), .high = value + tick / 2};
}

void describe_layers(const ProfiledRequests& p, bool on_device, double tick_of_device, ProfileAnswer& answer) {
  const std::size_t n = p.requests.size();
  std::map<LayerKey, PartTimes> parts;
  std::vector<LayerKey> order;
  double unattributed = 0, outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const trace::LayerTimes times = layers_of(p.requests[i], on_device);
    for (const trace::LayerTime& l : times.layers) {
      const auto [part, added] = parts.try_emplace({l.name, l.type, l.where});
      if (added) order.push_back(part->first);
      part->second.ns.resize(n);
      part->second.ns[i] = to_double(l.time);
      part->second.calls += static_cast<double>(l.calls);
      part->second.kernels += static_cast<double>(l.kernels);
    }
    unattributed += to_double(times.unattributed);
    outside += to_double(times.gaps);
  }
  const double whole = whole_of(p), requests = static_cast<double>(n);
  const double tick = on_device ? tick_of_device : tick_of_profiler(parts);
  for (const LayerKey& key : order) {
    const PartTimes& part = parts.at(key);
    LayerResult l{.name = std::get<0>(key), .type = std::get<1>(key), .where = std::get<2>(key)};
    l.calls = part.calls / requests;
    if (on_device) l.kernels = part.kernels / requests;
    l.share = part.sum() / whole;
    l.time = layer_time(part, tick);
    answer.layers.push_back(std::move(l));
  }
  answer.outside = outside / whole;
  if (on_device) answer.unattributed = unattributed / whole;
}

void describe_kernels(const ProfiledRequests& p, ProfileAnswer& answer) {
  const std::size_t n = p.requests.size();
  std::map<std::string, PartTimes> parts;
  double work = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (const trace::DeviceWork& w : p.requests[i].work) {
      PartTimes& part = parts[w.name];
      part.ns.resize(n);
      part.ns[i] += to_double(w.when.length());
      part.calls += 1;
      work += to_double(w.when.length());
    }
  }
  for (const auto& [name, part] : parts) {
    answer.kernels.push_back({.name = name,
                              .calls = part.calls / static_cast<double>(n),
                              .share = work > 0 ? part.sum() / work : 0,
                              .time = {.value = stats::middle_of(part.ns)}});
  }
  std::stable_sort(answer.kernels.begin(), answer.kernels.end(),
                   [](const KernelResult& a, const KernelResult& b) { return a.share > b.share; });
}

// Ratios of sums: the parts of all requests together add up to their time.
void describe_activity(const ProfiledRequests& p, double tick, Record& r) {
  trace::Activity all;
  std::vector<double> busy;
  double kernels = 0, calls = 0;
  for (const trace::RequestTrace& t : p.requests) {
    const trace::Activity a = trace::activity_of(t);
    busy.push_back(to_double(a.busy));
    kernels += static_cast<double>(a.kernels);
    calls += static_cast<double>(a.calls);
    for (const auto part : {&trace::Activity::window, &trace::Activity::busy, &trace::Activity::starved,
                            &trace::Activity::drained, &trace::Activity::pipeline, &trace::Activity::both,
                            &trace::Activity::host_only, &trace::Activity::device_only, &trace::Activity::neither,
                            &trace::Activity::work, &trace::Activity::copies_beside_kernels})
      all.*part += a.*part;
  }
  const auto share = [&](nanoseconds t) { return Estimate{.value = to_double(t) / whole_of(p)}; };
  r.profile.activity = ActivityShares{.busy = share(all.busy),
                                      .starved = share(all.starved),
                                      .drained = share(all.drained),
                                      .pipeline = share(all.pipeline),
                                      .both = share(all.both),
                                      .host_only = share(all.host_only),
                                      .device_only = share(all.device_only),
                                      .neither = share(all.neither),
                                      .concurrency = {.value = all.concurrency()},
                                      .copies_beside_kernels = share(all.copies_beside_kernels),
                                      .calls = {.value = calls / static_cast<double>(p.requests.size())}};
  r.metrics[metric::busy] = describe_readings(busy, tick);
  r.observations.kernels_per_request = kernels / static_cast<double>(p.requests.size());
}

const trace::RequestTrace& typical(const ProfiledRequests& p) {
  std::vector<const trace::RequestTrace*> requests;
  for (const trace::RequestTrace& t : p.requests) requests.push_back(&t);
  const auto middle = requests.begin() + static_cast<std::ptrdiff_t>(requests.size() / 2);
  std::nth_element(requests.begin(), middle, requests.end(),
                   [](const auto* a, const auto* b) { return a->length < b->length; });
  return **middle;
}

constexpr char kHostLane[] = "host", kLayerLane[] = "layers", kKernelLane[] = "kernels", kCopyLane[] = "copies",
               kIdleLane[] = "idle";

const char* words_of(trace::IdleReason reason) {
  switch (reason) {
    case trace::IdleReason::starved:
      return "the host has not handed over more";
    case trace::IdleReason::drained:
      return "the host waits for it";
    case trace::IdleReason::pipeline:
      return "between pieces of work that are queued";
  }
  return "";
}

void add_span(std::vector<TimelineSpan>& spans, const char* lane, std::string name, Interval when) {
  spans.push_back(
      {.lane = lane, .name = std::move(name), .begin_ns = to_double(when.begin), .end_ns = to_double(when.end)});
}

std::vector<TimelineSpan> timeline_of(const trace::RequestTrace& t) {
  std::vector<TimelineSpan> spans;
  for (const trace::HostCall& c : t.calls)
    add_span(spans, kHostLane, c.kind == trace::HostCall::Kind::submit ? "submit" : "wait", c.when);
  for (const trace::LayerCall& l : t.layers) add_span(spans, kLayerLane, l.name, l.when);
  for (const trace::DeviceWork& w : t.work)
    add_span(spans, w.kind == trace::DeviceWork::Kind::kernel ? kKernelLane : kCopyLane, w.name, w.when);
  if (t.work.empty()) return spans;  // nobody saw the device
  for (const trace::Idle& i : trace::idle_of(t)) add_span(spans, kIdleLane, words_of(i.reason), i.when);
  return spans;
}

}  // namespace

void describe_profile(const ProfiledRequests& p, double tick, Record& r) {
  std::vector<double> latency;
  for (const trace::RequestTrace& t : p.requests) latency.push_back(to_double(t.length));
  r.metrics[metric::latency] = describe_readings(latency, 1);
  r.profile.requests = p.requests.size();
  r.profile.profiler = p.why_no_layers.empty() ? p.profiler : "";
  r.profile.why_no_layers = p.why_no_layers;
  r.profile.why_no_trace = p.why_no_trace;
  r.profile.threads_busy = p.threads_busy;
  if (r.device.asynchronous) r.profile.trace = p.trace;
  const bool traced = r.device.asynchronous && p.why_no_trace.empty();
  if (r.device.asynchronous && !traced && p.why_no_layers.empty())
    r.profile.why_no_layers = "which kernels are whose is not known without a trace";
  if (p.why_no_layers.empty() && (traced || !r.device.asynchronous)) describe_layers(p, traced, tick, r.profile);
  if (traced) {
    describe_kernels(p, r.profile);
    describe_activity(p, tick, r);
  }
  r.timeline = timeline_of(typical(p));
  r.startup.first_ns = to_double(p.first);
  r.startup.warmup_requests = p.warmup;
  r.startup.warmup_ns = to_double(p.warmup_time);
  for (const double ns : latency) r.window_ns += ns;
}

}  // namespace strobe

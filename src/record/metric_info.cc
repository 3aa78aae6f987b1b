// SPDX-License-Identifier: Apache-2.0
#include "record/metric_info.h"

#include <algorithm>
#include <array>

#include "base/unit_names.h"
#include "record/outcome_words.h"

namespace strobe {
namespace {

constexpr MetricInfo time_row(std::string_view name, std::string_view label, std::string_view definition) {
  return {name, label, unit::ns, MetricKind::sample, Better::less, definition};
}

constexpr MetricInfo explained(MetricInfo row) {
  row.explained = true;
  return row;
}

constexpr MetricInfo device_row(std::string_view name, std::string_view label, std::string_view definition) {
  MetricInfo row = time_row(name, label, definition);
  row.of_device = true;
  return row;
}

constexpr MetricInfo full_queue(MetricInfo row) {
  row.full_queue = true;
  return row;
}

constexpr MetricInfo copy_row(std::string_view name, std::string_view label, Transfer transfer, bool pageable,
                              std::string_view definition) {
  return {name, label, unit::ns, MetricKind::sample, Better::less, definition, transfer, pageable};
}

constexpr MetricInfo rate_row(std::string_view name, std::string_view label, std::string_view definition) {
  return {name, label, unit::items_per_second, MetricKind::rate, Better::more, definition};
}

constexpr MetricInfo gauge_row(std::string_view name, std::string_view label, std::string_view unit,
                               std::string_view definition) {
  return {name, label, unit, MetricKind::gauge, Better::less, definition};
}

constexpr std::array kMetrics{
    time_row(metric::latency, "latency",
             "From submitting one request until its result is ready, one request at a time, the device idle before: "
             "what a caller waits for."),
    time_row(metric::submit, "submit", "Host time to submit those same requests."),
    time_row(
        metric::span, "span",
        "From a mark before the request to a mark after it, on an idle device: device work plus every gap in which "
        "the device waited for the host."),
    device_row(metric::device_time, "device time",
               "The same two marks when the whole request is queued before the device may start: device work and the "
               "device's own pauses between kernels."),
    device_row(metric::replay_time, "replay time",
               "Device time of a captured graph, replayed from a full queue: a different program from the eager one."),
    time_row(metric::replay_latency, "replay lat.",
             "Latency when the captured graph is replayed instead: what its caller waits for."),
    full_queue(rate_row(metric::replay_throughput, "replay rate",
                        "Items per second when the captured graph is replayed instead.")),
    full_queue(explained(
        time_row(metric::period, "period", "Time per request with several requests outstanding and no other wait."))),
    full_queue(rate_row(metric::throughput, "throughput", "Items per second: the batch divided by the period.")),
    full_queue(explained(time_row(metric::latency_loaded, "loaded",
                                  "From submitting a request until its end mark, with several requests outstanding."))),
    copy_row(metric::copy_in, "copy in", Transfer::in, false,
             "Transfer of the real inputs from pinned memory of the host to the device."),
    copy_row(metric::copy_in_pageable, "pageable in", Transfer::in, true,
             "The same from memory that is not pinned: the driver copies twice and the host waits."),
    copy_row(metric::copy_out, "copy out", Transfer::out, false,
             "Transfer of the real outputs from the device to pinned memory of the host."),
    copy_row(metric::copy_out_pageable, "pageable out", Transfer::out, true, "The same to memory that is not pinned."),
    time_row(metric::end_to_end, "end to end", "Latency with both copies."),
    explained(time_row(
        metric::union_time, "union",
        "Time in which the host submits or the device works, on one time line; the rest of the latency is waiting.")),
    device_row(
        metric::busy, "busy",
        "Time of a request in which some kernel or copy runs, as a tracer saw it: without any pause between them."),
    device_row(metric::inter_kernel, "inter kernel",
               "What the device pauses from one kernel to the next: device time less busy, by the number of kernels."),
    time_row(metric::first_request, "1st request",
             "The very first request of a process: `startup.first_ns` of a record, and what a single cold call is held "
             "against."),
    full_queue(gauge_row(
        metric::energy, "energy", unit::joules,
        "Energy of one request with several outstanding, by the device's own counter: all that the device takes "
        "meanwhile, also what it would take idle.")),
    full_queue(gauge_row(metric::energy_net, "energy net", unit::joules,
                         "The same without what the device takes idle in that time, its context alive.")),
    full_queue(MetricInfo{metric::items_per_joule, "items/joule", unit::items_per_joule, MetricKind::rate, Better::more,
                          "Items that a joule pays for: the batch divided by the energy of a request."}),
    full_queue(
        explained(gauge_row(metric::power, "power", unit::watts, "What the device takes while the queue is full."))),
    explained(gauge_row(metric::idle_power, "idle power", unit::watts,
                        "What it takes while nothing is asked of it, its context alive.")),
    time_row(metric::waiting, "waiting", "From submitting a stage until the device begins it."),
    time_row(metric::reading, "reading", "What this method reports."),
    gauge_row(metric::memory, "memory", unit::bytes,
              "Memory that the model and its requests take: of the device where it has its own, otherwise the most "
              "that the process had resident at once."),
};

}  // namespace

std::span<const MetricInfo> all_metrics() {
  return kMetrics;
}

const MetricInfo* metric_info(std::string_view name) {
  const std::size_t at = metric_order(name);
  return at < kMetrics.size() ? &kMetrics[at] : nullptr;
}

std::size_t metric_order(std::string_view name) {
  const auto it = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const MetricInfo& m) { return m.name == name; });
  return static_cast<std::size_t>(it - kMetrics.begin());
}

MetricKind metric_kind(std::string_view name) {
  const MetricInfo* info = metric_info(name);
  return info ? info->kind : MetricKind::sample;
}

std::string metric_label(std::string_view name) {
  const MetricInfo* info = metric_info(name);
  return std::string(info ? info->label : name);
}

bool less_is_better(std::string_view metric) {
  const MetricInfo* info = metric_info(metric);
  return !info || info->better == Better::less;
}

ChangeWords change_words(std::string_view metric) {
  const MetricInfo* info = metric_info(metric);
  if (info && info->kind == MetricKind::gauge) return {change_word::smaller, change_word::larger};
  return {change_word::faster, change_word::slower};
}

bool is_better(const Comparison& c) {
  return c.outcome == change_words(c.metric).better;
}

bool is_worse(const Comparison& c) {
  return c.outcome == change_words(c.metric).worse;
}

}  // namespace strobe

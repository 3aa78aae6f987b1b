// SPDX-License-Identifier: Apache-2.0
#include "report/profile_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/format.h"

namespace strobe {

std::vector<const LayerResult*> hottest(const Record& r) {
  std::vector<const LayerResult*> layers;
  for (const LayerResult& l : r.profile.layers) layers.push_back(&l);
  std::stable_sort(layers.begin(), layers.end(), [](const auto* a, const auto* b) { return a->share > b->share; });
  return layers;
}

std::vector<LayerType> layer_types(const Record& r) {
  std::vector<LayerType> types;
  for (const LayerResult& l : r.profile.layers) {
    auto type = std::find_if(types.begin(), types.end(), [&](const LayerType& t) { return t.type == l.type; });
    if (type == types.end()) type = types.insert(types.end(), {.type = l.type});
    ++type->layers;
    type->share += l.share;
    type->time_ns += l.time.value;
  }
  std::stable_sort(types.begin(), types.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return types;
}

std::string slowdown_words(const Record& r) {
  const ProfileAnswer& p = r.profile;
  std::string words = fmt::format("{} under a profiler", counted(p.requests, "request", "requests"));
  if (!p.profiler.empty()) words += fmt::format(" ({})", p.profiler);
  return words;
}

std::string trace_words(const Record& r) {
  const auto& trace = r.profile.trace;
  if (!trace || trace->tracer.empty()) return {};
  std::string words =
      fmt::format("{} by {}", counted(trace->records, "piece of work", "pieces of work"), trace->tracer);
  const double kernels = r.observations.kernels_per_request.value_or(0);
  if (trace->excess_ns)
    words += fmt::format("; each kernel reads {} longer than its own clock says, {} a request",
                         format_time(*trace->excess_ns), format_time(*trace->excess_ns * kernels));
  if (trace->clock_ns.value_or(0) > 0)
    words += fmt::format("; joined with the host's clock to ±{}", format_time(*trace->clock_ns));
  return words;
}

std::vector<std::string> activity_sentences(const Record& r) {
  if (!r.profile.activity) return {};
  const ActivityShares& a = *r.profile.activity;
  const auto share = [](const Estimate& e) { return format_percent(e.value); };
  std::vector<std::string> sentences{
      fmt::format(
          "the device works {} of a request; it idles {} because the host has not handed over more, {} because the "
          "host waits for it, {} between pieces of work that are queued",
          share(a.busy), share(a.starved), share(a.drained), share(a.pipeline)),
      fmt::format("host and device work at the same time in {} of it, the host alone in {}, the device alone in {}, "
                  "neither in {}",
                  share(a.both), share(a.host_only), share(a.device_only), share(a.neither))};
  if (a.calls.value > 0)
    sentences.push_back(fmt::format("its work is handed over in {:.4g} calls; {:.2f} pieces of it run at a time",
                                    a.calls.value, a.concurrency.value));
  if (a.copies_beside_kernels.value > 0)
    sentences.push_back(fmt::format("copies run beside kernels in {} of it", share(a.copies_beside_kernels)));
  return sentences;
}

}  // namespace strobe

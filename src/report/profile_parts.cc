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

std::vector<std::string> activity_sentences(const Record& r) {
  if (!r.profile.activity) return {};
  const ActivityShares& a = *r.profile.activity;
  const auto share = [](const Estimate& e) { return format_percent(e.value); };
  return {
      fmt::format(
          "the device works {} of a request; it idles {} because the host has not handed over more, {} because the "
          "host waits for it, {} between pieces of work that are queued",
          share(a.busy), share(a.starved), share(a.drained), share(a.pipeline)),
      fmt::format("host and device work at the same time in {} of it, the host alone in {}, the device alone in {}, "
                  "neither in {}",
                  share(a.both), share(a.host_only), share(a.device_only), share(a.neither))};
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "record/deciding.h"

#include "record/metric_names.h"
#include "record/study_info.h"

namespace strobe {

bool waits_for_host(const Record& r) {
  constexpr double kIdle = 0.05;
  const auto gap = r.gap();
  return gap && *gap >= kIdle;
}

bool keeps_busy(const Record& r) {
  return r.gap() && !waits_for_host(r);
}

std::vector<std::string_view> deciding_metrics(const Record& r) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view name) {
    if (r.find(name)) names.push_back(name);
  };
  if (study_info(r).answer == Answer::rate) {
    add(metric::throughput);
  } else if (study_info(r).answer == Answer::amount) {
    add(metric::memory);
  } else if (study_info(r).by_latency) {
    add(metric::latency);
    add(metric::throughput);
  } else if (r.device.asynchronous) {
    add(metric::device_time);
    add(waits_for_host(r) ? metric::replay_time : metric::throughput);
  }
  if (names.empty()) add(metric::latency);
  return names;
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// One process of the study behind docs/results/launches.md, "Launch, load, round": loads a model several times,
// measures each load as a launch is measured, and prints the median of each round as JSON. bench/skill/variance.py runs
// it.
//
//     variance_study MODEL cpu|cuda LOADS SECONDS [THREADS]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <strobe/error.h>

#include "device/open_device.h"
#include "measure/measurement.h"
#include "record/metric_names.h"
#include "stats/middle.h"
#include "workload/open_model.h"

namespace strobe {
namespace {

struct Plan {
  std::string model, device;
  int loads = 1;
  double seconds = 1;
  std::optional<int> threads;
};

// By round, in ns. A full queue has windows instead of samples that stand for themselves.
std::vector<double> rounds_of(const Measurement& m, const PassSamples& pass) {
  std::map<std::uint32_t, std::vector<double>> by_round;
  const bool device = pass.pass.method.clock == Method::Clock::device;
  for (const Sample& s : pass.samples) {
    if (s.state != SampleState::kept || s.begin < m.steady_from()) continue;
    by_round[s.round].push_back(to_double(device ? s.device : s.done - s.begin) / s.requests);
  }
  std::vector<double> medians;
  for (auto& [round, times] : by_round) medians.push_back(stats::middle_of(std::move(times)));
  return medians;
}

void print_load(const Plan& plan, int load, const Measurement& m) {
  for (const PassSamples& pass : m.passes) {
    if (pass.pass.metric != metric::latency && pass.pass.metric != metric::device_time) continue;
    fmt::print("{{\"model\": \"{}\", \"load\": {}, \"metric\": \"{}\", \"rounds\": [{:.0f}]}}\n", plan.model, load,
               pass.pass.metric, fmt::join(rounds_of(m, pass), ", "));
  }
}

void run(const Plan& plan) {
  prepare_process_for_devices();
  OpenOptions open;
  open.model = plan.model;
  open.device = plan.device;
  open.threads = plan.threads;
  open.prefers_stream = "fast";  // what streams do is known, and controlled
  Options how;
  how.effort = quick;
  how.min_time = to_nanoseconds(plan.seconds * 1e9);
  for (int load = 0; load < plan.loads; ++load) {
    OpenedModel model = open_model(open);
    // As a later launch: rounds, and nothing beside them.
    print_load(plan, load, measure_rounds(*model.workload, how, {.launch = 2}));
  }
}

}  // namespace
}  // namespace strobe

int main(int count, char** words) {
  if (count < 5) {
    fmt::print(stderr, "usage: variance_study MODEL cpu|cuda LOADS SECONDS [THREADS]\n");
    return 2;
  }
  strobe::Plan plan{
      .model = words[1], .device = words[2], .loads = std::atoi(words[3]), .seconds = std::atof(words[4])};
  if (count > 5) plan.threads = std::atoi(words[5]);
  try {
    strobe::run(plan);
  } catch (const strobe::Error& e) {
    fmt::print(stderr, "variance_study: {}\n", e.what());
    return 1;
  }
  return 0;
}

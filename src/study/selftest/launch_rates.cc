// SPDX-License-Identifier: Apache-2.0
#include "study/selftest/launch_rates.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "device/simulated/virtual_clock.h"
#include "record/metric_names.h"
#include "stats/comparison.h"
#include "study/compare/compare.h"
#include "study/run.h"
#include "study/selftest/simulated_launches.h"

namespace strobe {
namespace {

constexpr double kAgree = 0.001;

// Few kernels and few requests a turn, because simulating each costs time. So they are long, and so is the pause
// between them where it is what differs.
constexpr std::array kDrawnEffects{
    DrawnEffect{"nothing drawn", "launch=4us,kernels=2x2500us,noise=0.005", 0},
    DrawnEffect{"normal 0.05 %", "launch=4us,kernels=2x2500us,noise=0.005,launch_noise=0.0005", 0.0005},
    kScatter,
    DrawnEffect{"two levels 3.6 % apart, 1 in 3", "launch=4us,kernels=2x2500us,noise=0.005,launch_levels=1.036@0.3333",
                0.017},
    DrawnEffect{"of each load 0.3 %", "launch=4us,kernels=2x2500us,noise=0.005,load_noise=0.003", 0.003},
    DrawnEffect{"streams of two levels 3.5 % apart",
                "launch=4us,kernels=2x2600us,pause=2ms,slow_streams=1.08@0.5,noise=0.005", 0.017},
};

const Metric& figure_of(const Metrics& metrics) {
  return metrics.at(metric::device_time);
}

double value_of_launch(const Metric& m) {
  return m.facts.median_of_rounds.value_or(m.estimate.value);
}

bool holds(const Estimate& e, double value) {
  return e.low && e.high && *e.low <= value && value <= *e.high;
}

}  // namespace

std::span<const DrawnEffect> drawn_effects() {
  return kDrawnEffects;
}

Record simulated_run(const DrawnEffect& effect, std::uint64_t seed) {
  RunOptions o;
  o.open.model = fmt::format("sim:{},seed={}", effect.parameters, seed);
  o.measure = {.effort = Effort::quick, .warmup = 10, .requests = 100};
  return simulated_launches(std::move(o));
}

std::string word_of_compare(const DrawnEffect& effect, double change, std::uint64_t seed) {
  VirtualClock clock;  // for the pauses between turns
  ComparePlan o;
  o.pairs = stats::kFewestPairs;
  o.in_process = true;
  o.clock = &clock;
  for (const double clock_rate : {1.0, 1 / (1 + change)}) {
    CandidateOptions c;
    c.name = o.candidates.empty() ? "a" : "b";
    c.run.open.model = fmt::format("sim:{},seed={},throttle={}@0s", effect.parameters, seed, clock_rate);
    o.candidates.push_back(std::move(c));
  }
  for (const Comparison& c : compare(o).comparisons) {
    if (c.metric == metric::device_time) return c.outcome;
  }
  return {};
}

LaunchRates tally(const Record& run, const Record& next, const DrawnEffect& effect) {
  const Metric& seen = figure_of(run.metrics);
  LaunchRates r{.runs = 1};
  for (const Case& launch : next.launches) {
    ++r.launches;
    r.inside += holds(seen.estimate, value_of_launch(figure_of(launch.metrics)));
  }
  if (seen.verdict->word == Repeat::repeats) {
    r.repeats = 1;
    r.not_repeated = !holds(seen.estimate, figure_of(next.metrics).estimate.value);
  }
  if (effect.spread < kAgree) {
    r.steady = 1;
    r.called_unsteady = seen.verdict->word == Repeat::varies;
  }
  return r;
}

LaunchRates& LaunchRates::operator+=(const LaunchRates& other) {
  runs += other.runs;
  launches += other.launches;
  inside += other.inside;
  repeats += other.repeats;
  not_repeated += other.not_repeated;
  steady += other.steady;
  called_unsteady += other.called_unsteady;
  return *this;
}

}  // namespace strobe

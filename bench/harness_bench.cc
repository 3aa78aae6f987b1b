// SPDX-License-Identifier: Apache-2.0
// The cost of the harness per hot sample. `beyond_two_reads` is the one that has a budget (harness_cost.h).
#include <benchmark/benchmark.h>

#include "bench/harness_cost.h"

namespace strobe::bench {
namespace {

constexpr std::size_t kSamples = 10'000;

// Time per iteration divided by the samples in it.
benchmark::Counter per_sample() {
  return {kSamples, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert};
}

void two_clock_reads(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bare_loop<2>(kSamples));
  state.counters["a_sample"] = per_sample();
}
BENCHMARK(two_clock_reads);

void three_clock_reads(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(bare_loop<3>(kSamples));
  state.counters["a_sample"] = per_sample();
}
BENCHMARK(three_clock_reads);

void latency_loop(benchmark::State& state) {
  NullRun null(kSamples);
  Samples samples;
  for (auto _ : state) benchmark::DoNotOptimize(null.run(samples));
  state.counters["a_sample"] = per_sample();
}
BENCHMARK(latency_loop);

// All of these taking turns, the best of each, in nanoseconds.
void harness(benchmark::State& state) {
  HarnessCost cost;
  for (auto _ : state) cost = harness_cost();
  state.counters["two_reads"] = cost.two_reads;
  state.counters["three_reads"] = cost.three_reads;
  state.counters["sample"] = cost.sample;
  state.counters["new_memory"] = cost.fresh_sample;
  state.counters["reading"] = cost.reading;
  state.counters["beyond_two_reads"] = cost.beyond_two_reads();
  state.counters["of_budget"] = cost.beyond_two_reads() / kHarnessBudget;
}
BENCHMARK(harness)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strobe::bench

BENCHMARK_MAIN();

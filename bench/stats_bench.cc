// SPDX-License-Identifier: Apache-2.0
// How long the analysis of a finished run takes: everything that is said about one metric, for a million samples. The
// shape of the noise matters, because some rules look closer when there is something to see.
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "stats/curve.h"
#include "stats/summary.h"
#include "stats/synthetic/processes.h"

namespace strobe::stats {
namespace {

constexpr std::size_t kPerRound = 100;  // 1 ms requests in segments of 100 ms

void summarize(benchmark::State& state, const Process& process) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<double> values = simulate(process, n, 1);
  std::vector<std::uint32_t> round(n);
  std::vector<double> at_seconds(n);
  for (std::size_t i = 0; i < n; ++i) {
    round[i] = static_cast<std::uint32_t>(i / kPerRound);
    at_seconds[i] = static_cast<double>(i) * 1e-3;
  }
  const Series series{.values = values, .round = round, .at_seconds = at_seconds};
  for (auto _ : state) {
    benchmark::DoNotOptimize(summarize(series));
    benchmark::DoNotOptimize(curve(series));
  }
}

BENCHMARK_CAPTURE(summarize, white, kWhite)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(summarize, correlated, kAr95)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(summarize, two_levels, kSlowBistable)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(summarize, bursts, kBursts)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace strobe::stats

BENCHMARK_MAIN();

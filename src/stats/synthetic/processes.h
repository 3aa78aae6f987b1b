// SPDX-License-Identifier: Apache-2.0
// Synthetic series with a known truth: the noises and shapes every rule of this folder is proved against, by the tests
// and by `strobe selftest`. Latencies around 1, in time order. The same seed gives the same series everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace strobe::stats {

// Noise of ln x: an AR(1) normal part, and what may be added to it. Zero means absent.
struct Process {
  std::string_view name = "white";
  double sd = 0.02;
  double rho = 0;            // correlation of neighbours in the normal part
  double outlier_share = 0;  // of the samples, each 20 to 200 % slower
  double gap = 0;            // a clock with two states: the slow one is this much slower, as a logarithm
  double dwell_fast = 0;     // mean stay in each state, in samples
  double dwell_slow = 0;
  double burst_share = 0;       // of the time, in bursts that are 50 % slower
  double burst_length = 0;      // mean, in samples
  std::size_t spike_every = 0;  // a sample 50 % slower at a fixed period
};

inline constexpr Process kWhite{.name = "white"};
inline constexpr Process kAr50{.name = "AR 0.5", .rho = 0.5};
inline constexpr Process kAr80{.name = "AR 0.8", .rho = 0.8};
inline constexpr Process kAr95{.name = "AR 0.95", .rho = 0.95};
inline constexpr Process kAr98{.name = "AR 0.98", .rho = 0.98};
inline constexpr Process kOutliers{.name = "outliers", .sd = 0.03, .outlier_share = 0.02};
inline constexpr Process kFastBistable{
    .name = "fast bistable", .sd = 0.01, .gap = 0.08, .dwell_fast = 40, .dwell_slow = 20};
inline constexpr Process kSlowBistable{
    .name = "slow bistable", .sd = 0.01, .gap = 0.08, .dwell_fast = 400, .dwell_slow = 200};
inline constexpr Process kBursts{.name = "bursts", .burst_share = 0.02, .burst_length = 20};
inline constexpr Process kSpikes{.name = "spikes", .spike_every = 100};

// Every process above.
std::span<const Process> processes();

std::vector<double> simulate(const Process& process, std::size_t n, std::uint64_t seed);

// The quantile of the stationary distribution: what an interval should cover.
double true_quantile(const Process& process, double p);

// Shapes on top of a series, each returning the series changed. Heights are relative: 0.25 is 25 % slower.
std::vector<double> with_step(std::vector<double> x, double height, std::size_t length);  // the first `length` samples
std::vector<double> with_ramp(std::vector<double> x, double height,
                              std::size_t length);                                 // from `height` linearly to none
std::vector<double> with_decay(std::vector<double> x, double height, double tau);  // exponential, in samples
std::vector<double> with_drift(std::vector<double> x, double change);              // linear over the whole series
std::vector<double> with_late_step(std::vector<double> x, double height, std::size_t at);  // from sample `at` on
std::vector<double> with_tick(std::vector<double> x, double tick);                         // read by a coarse clock

}  // namespace strobe::stats

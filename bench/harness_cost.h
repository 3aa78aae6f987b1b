// SPDX-License-Identifier: Apache-2.0
// What one sample of work that does nothing costs, beside a bare loop of as many samples that only reads the clock. The
// two take turns and the best of each is kept: noise only ever adds time, and a difference within one run stays
// comparable on any machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>

#include "device/inline_device.h"
#include "measure/segment.h"
#include "workload/builtin.h"

namespace strobe::bench {

inline constexpr double kHarnessBudget = 100;  // ns a sample beyond two clock reads

struct HarnessCost {
  double two_reads = 0, three_reads = 0;  // ns a sample: the bare loops
  double sample = 0;                      // … the latency loop, where its room was written before
  double fresh_sample = 0;                // … where it was not: the page faults of new memory are in it
  double reading = 0;                     // what the loop reports for work:null, its median

  double beyond_two_reads() const { return sample - two_reads; }
};

// The least that a bare loop must do: `reads` time stamps a sample.
template <int reads>
double bare_loop(std::size_t samples) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Clock::duration sum{};
  for (std::size_t i = 0; i < samples; ++i) {
    const auto begin = Clock::now();
    if constexpr (reads == 3) sum += Clock::now() - begin;
    sum += Clock::now() - begin;
  }
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
  return elapsed.count() / static_cast<double>(samples) + (sum.count() < 0 ? 1 : 0);  // the sum is used
}

// The product's own loop on work:null, one request a sample.
class NullRun {
 public:
  explicit NullRun(std::size_t samples) : samples_(samples) {
    plan_.length = std::chrono::hours(1);
    plan_.typical = 2 * plan_.length / static_cast<std::int64_t>(samples);  // makes room for just so many
    plan_.least = plan_.most = samples;
    plan_.settle_requests = 0;
  }

  NullRun(const NullRun&) = delete;

  // ns a sample.
  double run(Samples& samples) {
    samples.clear();
    const auto start = std::chrono::steady_clock::now();
    run_segment(*workload_, kLatencyPass, plan_, conductor_, request_, samples);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    return elapsed.count() / static_cast<double>(samples_);
  }

 private:
  std::size_t samples_, request_ = 0;
  InlineDevice device_;
  std::unique_ptr<Workload> workload_ = make_builtin("null", device_);
  LocalConductor conductor_{[] { return false; }};  // the program looks for Ctrl-C
  SegmentPlan plan_;
};

inline double median_reading(Samples samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  const auto reading = [](const Sample& s) { return s.done - s.begin; };
  std::nth_element(samples.begin(), middle, samples.end(),
                   [&](const Sample& a, const Sample& b) { return reading(a) < reading(b); });
  return static_cast<double>(reading(*middle).count());
}

// So many that malloc takes their memory from the system, and gives it back, each time.
inline constexpr std::size_t kManySamples = 1'000'000;

inline HarnessCost harness_cost() {
  constexpr std::size_t kSamples = 10'000;
  constexpr int kRepetitions = 40;
  constexpr double kNone = std::numeric_limits<double>::max();
  HarnessCost best{kNone, kNone, kNone, kNone, 0};
  const auto keep = [](double& least, double value) { least = std::min(least, value); };
  NullRun null(kSamples);
  Samples samples;
  null.run(samples);
  for (int i = 0; i < kRepetitions; ++i) {
    keep(best.two_reads, bare_loop<2>(kSamples));
    keep(best.sample, null.run(samples));
    keep(best.three_reads, bare_loop<3>(kSamples));
  }
  best.reading = median_reading(samples);
  NullRun large(kManySamples);
  for (int i = 0; i < 3; ++i) {
    Samples fresh;
    keep(best.fresh_sample, large.run(fresh));
  }
  return best;
}

}  // namespace strobe::bench

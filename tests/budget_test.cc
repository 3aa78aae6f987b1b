// SPDX-License-Identifier: Apache-2.0
// The harness must not weigh on what it measures. The bench program prints the same figures; here they have to hold.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "bench/harness_cost.h"
#include "host/nvtx.h"
#include "workload/pipeline/numpy_randn.h"

namespace strobe::bench {
namespace {

// CPU time: waiting for a neighbour is no part of it.
double thread_seconds() {
  std::timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// The shortest of several times for 100,000 numbers.
template <class Fill>
double best_seconds(Fill&& fill) {
  std::vector<float> numbers(100'000);
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 15; ++i) {
    const double begin = thread_seconds();
    fill(numbers);
    best = std::min(best, thread_seconds() - begin);
  }
  return best;
}

TEST(Harness, CostsAtMost100NanosecondsASampleBeyondTwoClockReads) {
  const HarnessCost cost = harness_cost();
  std::printf("two clock reads %.1f ns, a sample %.1f ns: %.1f ns beyond; work:null reads as %.0f ns\n", cost.two_reads,
              cost.sample, cost.beyond_two_reads(), cost.reading);
  EXPECT_LE(cost.beyond_two_reads(), kHarnessBudget);
}

// The reading holds both calls and one clock read that are not the work; more than this would be work of ours inside
// it.
TEST(Harness, AddsToTheReadingLessThanTheBudgetToo) {
  const HarnessCost cost = harness_cost();
  EXPECT_LE(cost.reading, cost.three_reads + kHarnessBudget);
}

// One in a loop of clock reads, as the loops of requests have it, against the loop without it.
TEST(Ranges, CostAFractionOfAClockReadWhereNobodyWatches) {
  constexpr int kReads = 100'000;
  const auto best_loop = [](auto&& step) {
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < 15; ++i) {
      const double begin = thread_seconds();
      for (int k = 0; k < kReads; ++k) step(k);
      best = std::min(best, thread_seconds() - begin);
    }
    return best;
  };
  const bool watched = nvtx::watched();
  ASSERT_FALSE(watched);
  std::chrono::steady_clock::time_point last;
  const auto read = [&] { last = std::chrono::steady_clock::now(); };
  const double bare = best_loop([&](int) { read(); });
  const double ranged = best_loop([&](int k) {
    const nvtx::Range range(watched, nvtx::name::kRequest, static_cast<std::uint64_t>(k));
    read();
  });
  std::printf("a clock read within a range takes %.2f of one without\n", ranged / bare);
  EXPECT_LE(ranged, 1.2 * bare);
  EXPECT_NE(last, std::chrono::steady_clock::time_point());
}

// numpy's randn takes 0.35 of the time of numbers that need a logarithm and a cosine each; bench/randn_bench.py
// compares with numpy itself.
TEST(NumpyRandn, TakesFarLessTimeThanNumbersOneByOne) {
  NumpyRandn randn(1);
  Random random(1);
  const double pairs = best_seconds([&](std::vector<float>& to) { randn.fill(to); });
  const double one_by_one = best_seconds([&](std::vector<float>& to) {
    for (float& x : to) x = static_cast<float>(random.normal());
  });
  std::printf("a number of randn takes %.2f of one of Random's\n", pairs / one_by_one);
  EXPECT_LE(pairs, 0.7 * one_by_one);
}

}  // namespace
}  // namespace strobe::bench

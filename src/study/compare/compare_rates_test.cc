// SPDX-License-Identifier: Apache-2.0
// How often `compare` is wrong about two equal models whose launches or loads draw their own speed, and how often it
// finds a change: on the simulated device, with everything between the options and the outcome.
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "study/compare/compare.h"

namespace strobe {
namespace {

// The word for the latency of a model that takes `change` longer.
std::string outcome_of(const std::string& effect, double change, std::uint64_t seed) {
  ComparePlan o;
  o.pairs = 8;
  o.in_process = true;
  for (const double factor : {1.0, 1 + change}) {
    CandidateOptions c;
    c.name = fmt::format("{}", o.candidates.size());
    c.run.open.model = fmt::format("sim:kernels=1x{}us,noise=0.005,{}", 5000 * factor, effect);
    c.run.open.seed = seed;
    o.candidates.push_back(std::move(c));
  }
  for (const Comparison& c : compare(o).comparisons) {
    if (c.metric == "latency") return c.outcome;
  }
  return {};
}

bool is_different(const std::string& outcome) {
  return outcome == "faster" || outcome == "slower";
}

// 1,000 comparisons: at most 20 in all, and of 200 at most 2 % and three standard errors.
TEST(CompareRates, OfEqualModelsAtMostTwoPercentAreCalledDifferentWhateverALaunchDraws) {
  int all = 0;
  for (const char* effect : {"launch_levels=1.036@0.33", "launch_levels=1.036@0.125", "launch_noise=0.003",
                             "launch_noise=0.009", "load_noise=0.009"}) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) wrong += is_different(outcome_of(effect, 0, seed));
    fmt::print("equal models called different, {}: {} of 200\n", effect, wrong);
    EXPECT_LE(wrong, 10) << effect;
    all += wrong;
  }
  EXPECT_LE(all, 20);
}

TEST(CompareRates, AChangeOfOnePercentIsFoundUnderTheScatterOfLaunches) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) found += outcome_of("launch_noise=0.003", 0.01, seed) == "slower";
  fmt::print("1 % slower found, launch_noise=0.003: {} of 200\n", found);
  EXPECT_GE(found, 190);
}

}  // namespace
}  // namespace strobe

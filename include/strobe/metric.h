// SPDX-License-Identifier: Apache-2.0
// A quantity that was measured: its figure with an interval, and what else was seen in it. Every time is in
// nanoseconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strobe {

// A figure with its 95 % interval. An absent side is unbounded: the sample is too small to bound it.
struct Estimate {
  double value = 0;
  std::optional<double> low = {}, high = {};
  bool valid = true;  // false where a side is unbounded; `why` says what there is too little of
  std::string why = {};

  bool bounded() const { return low && high; }
  // Half the interval's width relative to the value; nothing when unbounded or the value is 0.
  std::optional<double> relative_half_width() const;
};

// A percentile, or the number of requests it would need.
struct Percentile {
  double p = 0;
  std::optional<Estimate> estimate;
  std::optional<std::uint64_t> needs;
};

struct Outliers {
  std::uint64_t count = 0;
  double share = 0;       // of the samples
  double time_share = 0;  // of the time
  double largest = 0;
};

struct Mode {
  double value = 0;
  double share = 0;
};

struct LevelShift {
  double at_seconds = 0;
  double ratio = 1;  // level after / level before
};

// What the analysis saw in a series besides its location.
struct Facts {
  std::optional<double> warmup_end_seconds;
  std::optional<std::string> warmup_state;  // flat, warm-up, slow-down, not-settled
  std::optional<double> warmup_bias;        // what a longer warm-up would take off the mean
  std::optional<double> median_of_rounds;   // what a launch counts as, beside others
  std::optional<double> drift;              // relative change over the window
  std::optional<double> drift_per_minute;
  bool drifting = false;
  std::vector<LevelShift> shifts;
  bool regime_switching = false;
  std::vector<Mode> modes;
  bool modes_ordered = false;  // each mode is one stretch of time, not a mixture
  std::optional<double> lag1;
  double tick = 0;
  std::optional<std::uint64_t> rounds;                 // in which its requests were made
  std::optional<double> request_spread, round_spread;  // standard deviations, relative: within a round, of rounds
  double n_eff_tau = 1;                                // requests per independent observation
  std::optional<double> coupling;                      // first half / second half of a segment, as a ratio
  bool coupled = false;
};

struct CurveBucket {
  double at_seconds = 0;
  double low = 0, median = 0, high = 0;
  std::uint64_t n = 0;
};

struct Histogram {
  std::vector<double> edges;  // counts.size() + 1
  std::vector<std::uint64_t> counts;
};

// Launches that agree with each other and not with the rest.
struct LaunchLevel {
  double value = 0;
  std::uint64_t launches = 0;
  std::string stream = {};  // fast, slow: the level is that of the stream; empty: nobody knows
};

// Would the next run read the same?
enum class Repeat {
  repeats,             // half of the interval for the next launch is within the margin
  varies,              // it is not
  one_launch,          // nothing is known about others
  invalid,             // the figure is none
  repeats_over_loads,  // of fresh loads in one process: the next load there; another process may read otherwise
  varies_over_loads,
};

struct Standing {
  Repeat word = Repeat::one_launch;
  std::optional<double> half_width = {};  // of the interval for the next launch, relative
  std::string cause = {};                 // the id of the finding that explains most of it; empty: none does
};

struct Metric {
  std::string unit = "ns";  // ns, items/s, bytes
  std::string unknown;      // not empty: there is no figure, and this is why
  std::uint64_t n = 0;
  double n_eff = 0;
  Estimate estimate;  // the median of what is sampled; of a rate or a gauge its value
  std::optional<Estimate> mean;
  double stddev = 0, min = 0, max = 0;
  Outliers outliers;
  std::vector<Percentile> percentiles;
  Facts facts;
  std::vector<CurveBucket> curve;
  Histogram histogram;
  std::vector<LaunchLevel> levels;         // over several launches: the groups they fall into; empty where they do not
  std::optional<double> trend;             // over several launches: the relative change from one to the next
  std::optional<double> level_half_width;  // where streams make the levels: of the next launch on one of them, relative
  std::optional<double> launch_spread;     // over several launches: their standard deviation, relative
  std::optional<Standing> verdict;         // of a run

  bool known() const { return unknown.empty(); }
};

using Metrics = std::map<std::string, Metric, std::less<>>;

}  // namespace strobe

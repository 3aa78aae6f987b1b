// SPDX-License-Identifier: Apache-2.0
// When enough has been measured. Looks are few and far apart (each 1.5 times later than the last), because every look
// at the data costs coverage; a window that is too short costs far more (docs/statistics.md). Only the medians decide,
// tails only when they were asked for by name; mean and throughput never do.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.h"
#include "stats/series.h"
#include "stats/warmup.h"

namespace strobe::stats {

struct StopRule {
  double shortest_seconds = 5;  // of wall time, retained, all passes together
  double longest_seconds = 60;
  double margin = 0.005;           // relative half width of the median's interval
  std::size_t passes = 1;          // consecutive looks that must agree
  std::vector<double> tails = {};  // percentiles asked for by name
  Confidence confidence = {};
};

StopRule quick_rule();
StopRule standard_rule();
StopRule sustained_rule();

// Times to look at: shortest * 1.5^k, and the longest itself last.
std::vector<double> checkpoints(double shortest, double longest);

enum class Reason { window_short, too_few, median_width, drift, warm_up, level_shift, tail_unsupported };

struct Tail {
  double p = 0.99;
  bool bounded = false;  // both sides of its interval
  double n_eff = 0;
  std::size_t clusters = 0;  // separate occasions on which it was exceeded
};

// What a look sees of one metric that decides.
struct Look {
  std::size_t n = 0;
  double request_seconds = 0;  // of a typical request
  Estimate median = {};
  double tick = 0;
  bool drifting = false;
  bool shifting = false;
  Settling settling = Settling::flat;
  std::vector<Tail> tails = {};
};

struct StopDecision {
  bool stop = false;
  bool converged = false;
  std::size_t passes = 0;            // looks in a row, this one included, without a reason to go on
  std::optional<double> half_width;  // largest of the gating medians, relative
  std::vector<Reason> reasons;       // to go on, or why it did not converge; in order, each once
};

// Occasions on which `threshold` was exceeded: exceedances with at most 10 samples between them are one.
std::size_t exceedance_clusters(std::span<const double> values, double threshold);

// The analysis behind one gate. `retained`: without floor and warm-up; `settling` is what the cut found.
Look examine(const Series& retained, double request_seconds, Settling settling, const StopRule& rule);

// `earlier_passes`: of the decision before this one.
StopDecision decide(std::span<const Look> looks, double retained_seconds, const StopRule& rule,
                    std::size_t earlier_passes = 0);

}  // namespace strobe::stats

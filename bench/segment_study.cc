// SPDX-License-Identifier: Apache-2.0
// How long should a segment be, how much of its start should be dropped, and what should few rounds be cut into? Four
// passes of a 1 ms model take turns in wall time; noise runs on in wall time, and every switch is followed by a 10 %
// transient that dies out. Three tables in Markdown, for the first pass: the median's interval, warm-up, drift and
// shifts. The answers are in docs/statistics.md. Usage: segment_study [trials]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "stats/batches.h"
#include "stats/drift.h"
#include "stats/level_shift.h"
#include "stats/pass_coupling.h"
#include "stats/quantile.h"
#include "stats/quantile_estimate.h"
#include "stats/synthetic/processes.h"
#include "stats/warmup.h"

namespace {

using namespace strobe::stats;
using Cut = std::vector<Range> (*)(std::size_t n, std::span<const std::uint32_t> round);

constexpr std::size_t kPasses = 4;
constexpr double kTransient = 0.1;

struct Segments {
  std::size_t length;   // ms, which is also the number of requests
  std::size_t dropped;  // of its start
};

constexpr Segments kSegments[] = {{25, 5}, {50, 10}, {100, 20}, {100, 40}, {150, 30}, {200, 40}};

struct Samples {
  std::vector<double> values;
  std::vector<std::uint32_t> round;
  Series series() const { return {.values = values, .round = round}; }
};

// What the first pass sees of the wall-time series, without the settling part of each segment.
Samples first_pass(std::span<const double> wall, Segments s, double tau) {
  Samples out;
  const std::size_t round_length = kPasses * s.length;
  for (std::size_t start = 0; start + round_length <= wall.size(); start += round_length)
    for (std::size_t i = s.dropped; i < s.length; ++i) {
      const double transient = tau > 0 ? kTransient * std::exp(-static_cast<double>(i) / tau) : 0;
      out.values.push_back(wall[start + i] * (1 + transient));
      out.round.push_back(static_cast<std::uint32_t>(start / round_length));
    }
  return out;
}

std::vector<Range> by_count(std::size_t n, std::span<const std::uint32_t>) {
  return equal_batches(n, kBatches);
}

std::vector<Range> one_a_round(std::size_t, std::span<const std::uint32_t> round) {
  const auto r = rounds(round);
  return grouped(r, std::min(r.size(), kBatches));
}

std::vector<Range> halves(std::size_t, std::span<const std::uint32_t> round) {
  const auto r = rounds(round);
  return r.size() < kBatches ? split_each(r, 2) : grouped(r, kBatches);
}

struct Rule {
  const char* name;
  Cut cut;
};

constexpr Rule kRules[] = {
    {"library", batches}, {"16 by count", by_count}, {"one a round", one_a_round}, {"halves", halves}};

struct Tally {
  int trials = 0, bounded = 0, covered = 0;
  double bias = 0, width = 0;

  void add(const Estimate& e, double truth) {
    ++trials;
    bias += e.value / truth - 1;
    const auto half = relative_half_width(e);
    if (!half) return;
    ++bounded;
    width += *half;
    covered += *e.low <= truth && truth <= *e.high;
  }
};

double percent(double part, double whole) {
  return 100 * part / std::max(whole, 1.0);
}

void head(const Process& p, std::size_t window, Segments s) {
  std::printf("| %s | %g | %zu / %zu | %zu |", std::string(p.name).c_str(), static_cast<double>(window) / 1000,
              s.length, s.dropped, window / (kPasses * s.length));
}

void intervals(const Process& process, double tau, std::size_t window, int trials) {
  const double truth = true_quantile(process, 0.5);
  for (const Segments& s : kSegments) {
    Tally tallies[std::size(kRules)];
    int coupled = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const Samples x = first_pass(simulate(process, window, static_cast<std::uint64_t>(trial)), s, tau);
      std::vector<double> sorted = x.values;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t r = 0; r < std::size(kRules); ++r)
        tallies[r].add(estimate_quantile(x.values, sorted, kRules[r].cut(x.values.size(), x.round), 0.5).estimate,
                       truth);
      coupled += pass_coupling(x.series()).coupled;
    }
    head(process, window, s);
    std::printf(" %g | %+.2f | %.0f |", tau, percent(tallies[0].bias, trials), percent(coupled, trials));
    for (const Tally& t : tallies)
      std::printf(" %.1f (%.2f) |", percent(t.covered, t.bounded), percent(t.width, t.bounded));
    std::printf("\n");
    std::fflush(stdout);
  }
}

struct Shape {
  const char* name;
  std::vector<double> (*apply)(std::vector<double>);
};

constexpr Shape kShapes[] = {
    {"none", [](std::vector<double> x) { return x; }},
    {"+25 % for 0.8 s", [](std::vector<double> x) { return with_step(std::move(x), 0.25, 800); }},
    {"+30 %, tau 0.3 s", [](std::vector<double> x) { return with_decay(std::move(x), 0.3, 300); }},
    {"6 % faster for 1 s", [](std::vector<double> x) { return with_step(std::move(x), -0.06, 1000); }},
};

void warm_up(const Process& process, const Shape& shape, std::size_t window, int trials) {
  const double truth = true_quantile(process, 0.5);
  for (const Segments& s : kSegments) {
    head(process, window, s);
    std::printf(" %s |", shape.name);
    for (const Cut cut : {Cut{blocks}, Cut{warmup_blocks}}) {
      std::vector<double> kept, bias;
      for (int trial = 0; trial < trials; ++trial) {
        const Samples x = first_pass(shape.apply(simulate(process, window, static_cast<std::uint64_t>(trial))), s, 5);
        const auto parts = cut(x.values.size(), x.round);
        const Warmup w = find_warmup(log_medians(x.values, parts), 0);
        const auto rest = std::span(x.values).subspan(parts[w.cut].begin);
        kept.push_back(static_cast<double>(rest.size()) / static_cast<double>(x.values.size()));
        bias.push_back(median_of(rest) / truth - 1);
      }
      std::sort(kept.begin(), kept.end());
      std::printf(" %.0f, %.0f | %+.2f |", percent(1 - median(kept), 1), percent(1 - quantile(kept, 0.1), 1),
                  percent(median_of(bias), 1));
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

void change(const Process& process, std::size_t window, int trials) {
  for (const Segments& s : kSegments) {
    int drift = 0, drift_found = 0, shift = 0, shift_found = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const auto wall = simulate(process, window, static_cast<std::uint64_t>(trial));
      const auto drifting = [](const Samples& x) {
        const auto parts = batches(x.values.size(), x.round);
        return find_drift(log_medians(x.values, parts), parts).flagged;
      };
      const auto shifting = [](const Samples& x) {
        return find_level_shifts(log_medians(x.values, blocks(x.values.size(), x.round))).kind != ShiftKind::none;
      };
      const Samples flat = first_pass(wall, s, 5);
      drift += drifting(flat);
      shift += shifting(flat);
      drift_found += drifting(first_pass(with_drift(wall, 0.04), s, 5));
      shift_found += shifting(first_pass(with_late_step(wall, 0.05, window / 2), s, 5));
    }
    head(process, window, s);
    std::printf(" %.1f | %.1f | %.1f | %.1f |\n", percent(drift, trials), percent(drift_found, trials),
                percent(shift, trials), percent(shift_found, trials));
    std::fflush(stdout);
  }
}

void columns(const char* text) {
  std::printf("\n| noise | window, s | segment / dropped, ms | rounds | %s |\n|---|---|---|---|", text);
  for (const char* c = text; *c; ++c)
    if (*c == '|') std::printf("---|");
  std::printf("---|\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1000;
  constexpr Process kNoises[] = {kWhite, kAr80, kAr95, kFastBistable, kSlowBistable, kBursts};
  columns(
      "transient tau, ms | bias, % | pass-coupling, % | library: coverage, % (half width, %) | 16 by count | one a "
      "round | halves");
  for (const std::size_t window : {2000, 4000, 10000})
    for (const double tau : {0.0, 5.0, 10.0, 15.0, 25.0})
      for (const Process& p : kNoises) intervals(p, tau, window, trials);
  columns("warm-up | rounds: cut, % (median, p90) | bias left, % | pieces: cut, % (median, p90) | bias left, %");
  for (const std::size_t window : {2000, 4000, 5000, 10000})
    for (const Shape& shape : kShapes)
      for (const Process& p : {kWhite, kAr80, kAr95, kFastBistable}) warm_up(p, shape, window, trials / 2 + 1);
  columns("false drift, % | drift of 4 % found | false shift, % | shift of 5 % found");
  for (const std::size_t window : {2000, 4000, 5000, 10000})
    for (const Process& p : kNoises) change(p, window, trials / 2 + 1);
}

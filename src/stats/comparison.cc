// SPDX-License-Identifier: Apache-2.0
#include "stats/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "stats/distributions.h"
#include "stats/holm.h"
#include "stats/mean.h"
#include "stats/quantile.h"
#include "stats/signed_rank.h"
#include "stats/welch.h"

namespace strobe::stats {
namespace {

constexpr double kShownError = 0.05;          // of the interval beside a ratio
constexpr double kLargestLog = 700;           // beyond it the ratio overflows
constexpr std::uint64_t kMostPairs = 100000;  // nobody waits for more: hopeless
constexpr std::size_t kFewestMore = 2;        // rounds come in pairs, AB and BA
constexpr std::size_t kUsualLaunches = 5;
constexpr std::size_t kFewestForInterval = 6;
constexpr double kPower = 0.8;
constexpr double kSingleLaunch = 0.02;  // what two launches of one program may differ by

// What a verdict takes. In a family both levels are divided by its size.
struct Levels {
  double margin;
  Confidence shown;
  Confidence different;
};

Levels levels(const ComparisonRule& rule, std::size_t comparisons) {
  const auto m = static_cast<double>(comparisons);
  return {rule.margin, {1 - kShownError / m}, {1 - (1 - rule.different.level) / m}};
}

Estimate exponential(const Estimate& log) {
  const auto ratio = [](double y) { return std::exp(std::clamp(y, -kLargestLog, kLargestLog)); };
  Estimate e{.value = ratio(log.value)};
  if (log.low) e.low = ratio(*log.low);
  if (log.high) e.high = ratio(*log.high);
  return e;
}

bool within(const Estimate& ratio, double margin) {
  return bounded(ratio) && 1 - margin < *ratio.low && *ratio.high < 1 + margin;
}

bool excludes_one(const Estimate& ratio) {
  return (ratio.low && *ratio.low > 1) || (ratio.high && *ratio.high < 1);
}

Outcome direction(double ratio) {
  return ratio < 1 ? Outcome::faster : Outcome::slower;
}

// The two intervals of a verdict, as logarithms.
struct Intervals {
  Estimate shown;
  Estimate different;
};

bool resolved(const Intervals& log, double margin) {
  return within(exponential(log.shown), margin) || excludes_one(exponential(log.different));
}

// Fewest pairs that would resolve it; `foresee` says the intervals so many pairs would give, if the estimate stayed.
std::optional<std::uint64_t> pairs_needed(std::size_t have, double margin,
                                          const std::function<Intervals(double pairs)>& foresee) {
  const auto enough = [&](std::uint64_t pairs) { return resolved(foresee(static_cast<double>(pairs)), margin); };
  std::uint64_t low = have + kFewestMore;
  std::uint64_t high = kMostPairs;
  if (low > high || !enough(high)) return std::nullopt;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (enough(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

Outcome decide(const Estimate& ratio, double margin, bool different) {
  if (within(ratio, margin)) return Outcome::equivalent;
  return different ? direction(ratio.value) : Outcome::cannot_tell;
}

Estimate scaled(Estimate e, double factor) {
  if (e.low) e.low = e.value + factor * (*e.low - e.value);
  if (e.high) e.high = e.value + factor * (*e.high - e.value);
  return e;
}

// Interquartile range, with quartiles that mirror each other: B against A must be judged like A against B.
double middle_half(std::span<const double> sorted) {
  if (sorted.empty()) return 0;
  const std::size_t outer = (sorted.size() - 1) / 4;
  return sorted[sorted.size() - 1 - outer] - sorted[outer];
}

// The log ratios of one comparison. Signed ranks need symmetry; where half the interquartile range lies between mean
// and median, the sign test takes over: it needs none, and is wider.
class Rounds {
 public:
  explicit Rounds(std::span<const double> log_ratios) {
    for (const double y : log_ratios)
      if (!std::isnan(y)) y_.push_back(std::clamp(y, -kLargestLog, kLargestLog));
    sorted_ = y_;
    std::sort(sorted_.begin(), sorted_.end());
    symmetric_ = std::abs(mean(y_) - median(sorted_)) <= middle_half(sorted_) / 2;
  }

  std::size_t count() const { return y_.size(); }

  Estimate interval(Confidence c) const {
    return symmetric_ ? hodges_lehmann(y_, c) : quantile_interval(sorted_, 0.5, static_cast<double>(count()), c);
  }

  double p() const {
    if (symmetric_) return signed_rank_p(y_);
    const auto against = static_cast<std::int64_t>(against_difference(sorted_));
    return std::min(1.0, 2 * binomial_cdf(against, static_cast<std::int64_t>(count()), 0.5));
  }

 private:
  std::vector<double> y_;
  std::vector<double> sorted_;
  bool symmetric_ = true;
};

// An interval shrinks with the square root of the rounds. Where there is none yet, its width cannot be foreseen.
std::optional<std::uint64_t> rounds_needed(const Rounds& rounds, const Levels& l) {
  const Intervals now{rounds.interval(l.shown), rounds.interval(l.different)};
  if (!bounded(now.different)) return required_effective(0.5, l.different);
  return pairs_needed(rounds.count(), l.margin, [&](double pairs) {
    const double narrower = std::sqrt(static_cast<double>(rounds.count()) / pairs);
    return Intervals{scaled(now.shown, narrower), scaled(now.different, narrower)};
  });
}

RatioComparison compare(const Rounds& rounds, const Levels& l, bool different) {
  RatioComparison c{.ratio = exponential(rounds.interval(l.shown)), .p = rounds.p(), .pairs = rounds.count()};
  c.outcome = decide(c.ratio, l.margin, different);
  if (c.outcome == Outcome::cannot_tell) c.needs = rounds_needed(rounds, l);
  return c;
}

// The log ratios of fresh launches, pair by pair: one observation each, whatever was measured inside.
class Pairs {
 public:
  explicit Pairs(std::span<const double> log_ratios) {
    std::vector<double> y;
    for (const double x : log_ratios)
      if (!std::isnan(x)) y.push_back(std::clamp(x, -kLargestLog, kLargestLog));
    count_ = y.size();
    mean_ = mean(y);
    scatter_ = stddev(y);
  }

  std::size_t count() const { return count_; }

  Estimate interval(Confidence c) const {
    if (count_ < kFewestForInterval) return {.value = mean_};
    return interval_after(static_cast<double>(count_), c);
  }

  // If there were this many, with the same mean and scatter.
  Estimate interval_after(double pairs, Confidence c) const {
    const double half = student_t_quantile(1 - (1 - c.level) / 2, pairs - 1) * scatter_ / std::sqrt(pairs);
    return {.value = mean_, .low = mean_ - half, .high = mean_ + half};
  }

  double p() const {
    if (count_ < kFewestPairs) return 1;
    if (scatter_ == 0) return mean_ == 0 ? 1 : 0;
    const double pairs = static_cast<double>(count_);
    return 2 * student_t_cdf(-std::abs(mean_) * std::sqrt(pairs) / scatter_, pairs - 1);
  }

  std::optional<double> detectable(Confidence different) const {
    if (count_ < kFewestForInterval) return std::nullopt;
    const double pairs = static_cast<double>(count_);
    const double beyond =
        student_t_quantile(1 - (1 - different.level) / 2, pairs - 1) + student_t_quantile(kPower, pairs - 1);
    return std::expm1(std::min(kLargestLog, beyond * scatter_ / std::sqrt(pairs)));
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, scatter_ = 0;
};

std::optional<std::uint64_t> more_pairs_needed(const Pairs& pairs, const Levels& l) {
  if (pairs.count() < kFewestPairs) return kFewestPairs;
  return pairs_needed(pairs.count(), l.margin, [&](double more) {
    return Intervals{pairs.interval_after(more, l.shown), pairs.interval_after(more, l.different)};
  });
}

RatioComparison compare_launched(const Pairs& pairs, const Levels& l, bool different) {
  RatioComparison c{.ratio = exponential(pairs.interval(l.shown)), .p = pairs.p(), .pairs = pairs.count()};
  if (pairs.count() >= kFewestPairs) c.outcome = decide(c.ratio, l.margin, different);
  if (c.outcome == Outcome::cannot_tell) c.needs = more_pairs_needed(pairs, l);
  c.detectable = pairs.detectable(l.different);
  return c;
}

std::vector<double> logarithms(std::span<const double> figures) {
  std::vector<double> out;
  for (const double x : figures)
    if (x > 0 && std::isfinite(x)) out.push_back(std::log(x));
  return out;
}

// A ratio without an interval: whatever varies from launch to launch is in it.
RatioComparison compare_single(double difference) {
  RatioComparison c{.ratio = exponential({.value = difference}), .pairs = 1};
  if (std::abs(difference) > std::log1p(kSingleLaunch))
    c.outcome = direction(c.ratio.value);
  else
    c.needs = kUsualLaunches;
  return c;
}

// Of several candidates at once: which of them differ is decided for all together (Holm).
template <class Sample, class Judge>
std::vector<RatioComparison> judge_family(std::span<const std::vector<double>> log_ratios, const ComparisonRule& rule,
                                          Judge judge) {
  const std::vector<Sample> family(log_ratios.begin(), log_ratios.end());
  std::vector<double> p;
  for (const Sample& sample : family) p.push_back(sample.p());
  const std::vector<bool> different = holm(p, 1 - rule.different.level);
  std::vector<RatioComparison> out;
  for (std::size_t i = 0; i < family.size(); ++i)
    out.push_back(judge(family[i], levels(rule, family.size()), different[i]));
  return out;
}

}  // namespace

RatioComparison compare_pairs(std::span<const double> log_ratios, const ComparisonRule& rule) {
  const std::vector<double> alone(log_ratios.begin(), log_ratios.end());
  return compare_pair_family({&alone, 1}, rule).front();
}

std::vector<RatioComparison> compare_pair_family(std::span<const std::vector<double>> log_ratios,
                                                 const ComparisonRule& rule) {
  return judge_family<Pairs>(log_ratios, rule, compare_launched);
}

RatioComparison compare_rounds(std::span<const double> log_ratios, const ComparisonRule& rule) {
  const std::vector<double> alone(log_ratios.begin(), log_ratios.end());
  return compare_family({&alone, 1}, rule).front();
}

std::size_t fewest_rounds(std::size_t comparisons, const ComparisonRule& rule) {
  return required_effective(0.5, levels(rule, comparisons).different);
}

RatioComparison compare_launches(std::span<const double> a, std::span<const double> b, const ComparisonRule& rule) {
  const std::vector<double> log_a = logarithms(a);
  const std::vector<double> log_b = logarithms(b);
  const std::size_t pairs = std::min(log_a.size(), log_b.size());
  if (pairs == 0) return {.needs = kUsualLaunches};
  if (pairs == 1) return compare_single(mean(log_b) - mean(log_a));
  const Levels l = levels(rule, 1);
  const Welch w = welch(log_a, log_b);
  RatioComparison c{.ratio = exponential(interval(w, l.shown)), .p = p_value(w), .pairs = pairs};
  c.outcome = decide(c.ratio, l.margin, c.p <= 1 - l.different.level);
  if (c.outcome == Outcome::cannot_tell)
    c.needs = pairs_needed(pairs, l.margin, [&](double more) {
      const Welch later = with_pairs(w, more);
      return Intervals{interval(later, l.shown), interval(later, l.different)};
    });
  return c;
}

std::vector<RatioComparison> compare_family(std::span<const std::vector<double>> log_ratios,
                                            const ComparisonRule& rule) {
  return judge_family<Rounds>(log_ratios, rule, compare);
}

}  // namespace strobe::stats

// SPDX-License-Identifier: Apache-2.0
#include "study/search/batch_search.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace strobe {
namespace {

constexpr std::size_t kMostTrials = 8, kMostEdges = 4, kConfirmWave = 2;
constexpr double kWorthwhile = 1.05;
constexpr std::int64_t kLargest = std::int64_t{1} << 24;

class Searching {
 public:
  explicit Searching(const RateOf& rate, std::int64_t smallest = 1) : rate_(rate), smallest_(smallest) {}

  // Measured once; nothing when it does not run.
  std::optional<double> at(std::int64_t batch) {
    if (const auto known = s_.rates.find(batch); known != s_.rates.end()) return known->second;
    if ((s_.fails_at && batch >= *s_.fails_at) || failed_.contains(batch)) return std::nullopt;
    return attempt(batch);
  }

  std::optional<double> attempt(std::int64_t batch) {
    ++s_.trials;
    const BatchRate r = rate_(batch);
    const bool beyond_all = s_.rates.empty() || batch > s_.rates.rbegin()->first;
    if (r.rate)
      s_.rates[batch] = *r.rate;
    else if (r.is_limit && beyond_all)
      s_.fails_at = std::min(s_.fails_at.value_or(batch), batch);
    else
      failed_.insert(batch);
    return r.rate;
  }

  void sweep() {
    double best = at(smallest_).value_or(0);
    if (best == 0) return;
    for (std::int64_t b = 4; b <= kLargest && s_.trials < kMostTrials; b *= 4) {
      const auto rate = at(b);
      if (!rate && s_.fails_at) break;
      if (!rate) continue;
      const bool worthwhile = *rate >= kWorthwhile * best;
      best = std::max(best, *rate);
      if (!worthwhile) break;
    }
  }

  // The memory ended while the rate was still growing: what is left between?
  void towards_the_end() {
    while (s_.fails_at && s_.trials < kMostTrials && !s_.rates.empty()) {
      const std::int64_t last = s_.rates.rbegin()->first, middle = last * 2;
      if (middle >= *s_.fails_at || s_.rates.at(last) < best()) return;
      if (!at(middle)) return;
    }
  }

  // One that does not run counts as too small: the search goes on above it.
  void bisect() {
    while (s_.trials < kMostTrials) {
      const std::int64_t above = smallest_near_best();
      std::int64_t below = 0;
      for (const auto& [b, rate] : s_.rates) {
        if (b < above) below = std::max(below, b);
      }
      if (below == 0) return;
      for (const std::int64_t b : failed_) {
        if (b < above) below = std::max(below, b);
      }
      const auto middle = static_cast<std::int64_t>(
          std::exp2(std::round((std::log2(static_cast<double>(below)) + std::log2(static_cast<double>(above))) / 2)));
      if (middle <= below || middle >= above) return;
      at(middle);
    }
  }

  void edges() {
    const std::size_t before = s_.trials;
    const std::int64_t b = smallest_near_best();
    for (const std::int64_t edge : {b + 1, b * 3 / 4, b * 3 / 4 + 1, b * 3 / 2}) {
      if (s_.trials - before >= kMostEdges - (wave() ? kConfirmWave : 0)) break;
      if (edge >= smallest_) at(edge);
    }
    s_.edges_left = kMostEdges - (s_.trials - before);
  }

  BatchSearch finish() {
    if (s_.rates.empty()) return std::move(s_);
    s_.best = smallest_near_best();
    for (const auto& [b, rate] : s_.rates) {
      if (rate == best()) s_.fastest = b;
    }
    s_.wave = wave();
    return std::move(s_);
  }

  bool any() const { return !s_.rates.empty(); }

 private:
  std::optional<std::int64_t> wave() const {
    std::optional<std::int64_t> found;
    for (const auto& [b, rate] : s_.rates) {
      const auto next = s_.rates.find(b + 1);
      if (b > 1 && next != s_.rates.end() && next->second < kNearBest * rate) found = b;
    }
    return found;
  }
  double best() const {
    double rate = 0;
    for (const auto& [b, r] : s_.rates) rate = std::max(rate, r);
    return rate;
  }
  std::int64_t smallest_near_best() const {
    for (const auto& [b, rate] : s_.rates) {
      if (rate >= kNearBest * best()) return b;
    }
    return smallest_;
  }

  const RateOf& rate_;
  std::int64_t smallest_;
  std::set<std::int64_t> failed_;
  BatchSearch s_;
};

}  // namespace

BatchSearch search_batch(const RateOf& rate, std::int64_t smallest) {
  Searching s(rate, smallest);
  s.sweep();
  if (!s.any()) return s.finish();
  s.towards_the_end();
  s.bisect();
  s.edges();
  return s.finish();
}

BatchSearch judge_batches(const RateOf& rate, const std::vector<std::int64_t>& batches) {
  Searching s(rate);
  for (const std::int64_t b : batches) s.attempt(b);
  return s.finish();
}

LargestBatch search_largest(const std::function<bool(std::int64_t)>& fits, std::int64_t known,
                            std::optional<std::int64_t> fails,
                            const std::function<std::optional<std::int64_t>()>& predict, std::size_t most_trials) {
  constexpr double kCloseEnough = 1.05, kCautious = 0.75;
  LargestBatch l{known, fails};
  for (std::size_t trial = 0; trial < most_trials; ++trial) {
    const auto low = static_cast<double>(l.fits), high = static_cast<double>(l.fails.value_or(0));
    if (l.fails && (*l.fails <= l.fits + 1 || high <= kCloseEnough * low)) break;
    const auto predicted = predict();
    double next = l.fails ? std::sqrt(low * high) : low * 2;
    if (predicted && static_cast<double>(*predicted) > low) next = static_cast<double>(*predicted);
    // A prediction that failed, or one next to what is known, tells nothing more: a bit beside it does.
    if (l.fails && next >= high) next = std::max(kCautious * high, std::sqrt(low * high));
    if (predicted && !l.fails && *predicted <= l.fits) next = kCloseEnough * low;
    const std::int64_t batch = std::max(static_cast<std::int64_t>(next), l.fits + 1);
    if (batch > kLargest || (l.fails && batch >= *l.fails)) break;
    if (fits(batch))
      l.fits = batch;
    else
      l.fails = batch;
  }
  return l;
}

std::optional<BatchCost> fit_cost(const std::map<std::int64_t, double>& rates) {
  if (rates.size() < 3) return std::nullopt;
  // Least squares of relative errors: a batch of 1024 must not drown the small ones.
  double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
  for (const auto& [b, rate] : rates) {
    const auto x = static_cast<double>(b);
    const double y = x / rate, weight = 1 / (y * y);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const double determinant = w * wxx - wx * wx;
  if (!(determinant > 0)) return std::nullopt;
  const BatchCost c{(wxx * wy - wx * wxy) / determinant, (w * wxy - wx * wy) / determinant};
  if (!(c.seconds_per_item > 0)) return std::nullopt;
  return c;
}

}  // namespace strobe

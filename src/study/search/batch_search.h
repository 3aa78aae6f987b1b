// SPDX-License-Identifier: Apache-2.0
// Where to look for a good batch, without knowing how rates are measured: few trials, because each costs seconds. The
// curve is neither smooth nor concave (waves of thread blocks make it a saw-tooth), so edges are looked at, too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace strobe {

// Items a second at a batch; nothing: it does not run.
struct BatchRate {
  std::optional<double> rate;
  bool is_limit = true;  // where it does not run: larger ones do not either (memory); a crash says nothing of others
};
using RateOf = std::function<BatchRate(std::int64_t batch)>;

struct BatchSearch {
  std::map<std::int64_t, double> rates;  // of the batches that ran
  std::optional<std::int64_t> best;      // the smallest within 5 % of the best rate
  std::optional<std::int64_t> fastest;   // the best rate of all
  std::optional<std::int64_t> fails_at;  // the smallest that did not run
  std::optional<std::int64_t> wave;      // one more item than this costs over 5 % of the rate
  std::size_t trials = 0;
  std::size_t edges_left = 0;  // trials that may still be spent on edges
};

inline constexpr double kNearBest = 0.95;

// ×4 until a step gains under 5 % or a batch does not run, then bisection in log2 between the last batch below 95 % of
// the best and the first above: at most 8 trials. Then at most 4 more around the result: b + 1, and multiples between;
// some of these are kept to confirm a wave.
BatchSearch search_batch(const RateOf&, std::int64_t smallest = 1);

// The answer to given batches only.
BatchSearch judge_batches(const RateOf&, const std::vector<std::int64_t>& batches);

struct LargestBatch {
  std::int64_t fits = 0;
  std::optional<std::int64_t> fails;  // the smallest that was seen to fail
};

// Between a batch that fits and one that does not, to within 5 %. `predict` says where memory should end, from how it
// grew so far; it is asked anew after each trial.
LargestBatch search_largest(const std::function<bool(std::int64_t)>& fits, std::int64_t known,
                            std::optional<std::int64_t> fails,
                            const std::function<std::optional<std::int64_t>()>& predict, std::size_t most_trials = 10);

// T(b) = a + c b through the periods: what one more item costs, and the batch at which half of the best rate is
// reached.
struct BatchCost {
  double fixed_seconds = 0, seconds_per_item = 0;
};
std::optional<BatchCost> fit_cost(const std::map<std::int64_t, double>& rates);

}  // namespace strobe

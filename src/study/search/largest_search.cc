// SPDX-License-Identifier: Apache-2.0
#include "study/search/largest_search.h"

#include <algorithm>

#include <fmt/format.h>

#include "record/metric_names.h"
#include "record/outcome_words.h"

namespace strobe {
namespace {

constexpr double kReserve = 0.97;  // of the predicted largest batch: predictions are lines through two points

}  // namespace

LargestPlan plan_largest(std::int64_t fits, std::optional<std::int64_t> fails, std::optional<std::int64_t> predicted,
                         double seconds_per_item, double longest_seconds) {
  LargestPlan plan;
  if (!predicted) return plan;
  plan.predicted = std::max(fits, fails ? std::min(*predicted, *fails - 1) : *predicted);
  const double seconds = static_cast<double>(*plan.predicted) * seconds_per_item;
  if (*plan.predicted == fits || seconds <= longest_seconds) return plan;
  const std::string known =
      fails ? fmt::format("{} fits, {} does not", fits, *fails) : fmt::format("at least {}", fits);
  plan.not_searched = fmt::format("{}; not searched {}: a request of {} items would take {:.0f} s", known,
                                  fails ? "between" : "further", *plan.predicted, seconds);
  return plan;
}

// Memory grows by a line in the batch; where that line meets the limit is a good guess.
std::optional<std::int64_t> LargestSearch::predict() const {
  std::map<std::int64_t, double> memory;
  for (const Case& c : record_.cases) {
    if (c.outcome == trial_word::fits && memory_of(c) && c.metrics.contains(metric::throughput))
      memory[batch_of(c)] = *memory_of(c);
  }
  if (memory.size() < 2) return std::nullopt;
  const auto& [b1, m1] = *std::prev(memory.end(), 2);
  const auto& [b2, m2] = *memory.rbegin();
  const double slope = (m2 - m1) / static_cast<double>(b2 - b1);
  if (!(slope > 0)) return std::nullopt;
  return static_cast<std::int64_t>(kReserve * (static_cast<double>(b2) + (limit_ - m2) / slope));
}

const Case* LargestSearch::smallest_failure(std::int64_t above) const {
  const Case* smallest = nullptr;
  for (const Case& c : record_.cases) {
    if (c.outcome == trial_word::fits || !trials_.is_at(c, at_) || batch_of(c) <= above) continue;
    if (!smallest || batch_of(c) < batch_of(*smallest)) smallest = &c;
  }
  return smallest;
}

void LargestSearch::name_failure(std::int64_t above) {
  const Case* c = smallest_failure(above);
  if (!c) return;
  record_.answer.fails_at = batch_of(*c);
  record_.answer.fails_because = c->outcome + (c->error.empty() ? "" : ": " + c->error);
}

void LargestSearch::run(const BatchSearch& s) {
  const auto& [most, rate] = *s.rates.rbegin();
  const LargestPlan plan = plan_largest(most, s.fails_at, predict(), 1 / rate, o_.longest_seconds);
  if (plan.predicted) record_.answer.predicted_largest = plan.predicted;
  if (!plan.not_searched.empty()) {
    record_.answer.largest_state = plan.not_searched;
    return name_failure(most);
  }
  const auto fits = [&](std::int64_t b) { return trials_.run(point(b), Purpose::fit).outcome == trial_word::fits; };
  soak(search_largest(fits, most, s.fails_at, [this] { return predict(); }).fits);
}

// A batch that fits once may not fit for long.
void LargestSearch::soak(std::int64_t batch) {
  for (int attempt = 0; attempt < 4 && batch >= trials_.smallest; ++attempt, batch = batch * 19 / 20) {
    const Case c = trials_.run(point(batch), Purpose::soak);
    if (c.outcome != trial_word::fits) continue;
    record_.answer.largest_batch = batch;
    record_.answer.largest_state = fmt::format("confirmed by {:g} s without a break{}", to_seconds(o_.soak),
                                               smallest_failure(batch) ? "" : "; no larger batch was seen to fail");
    name_failure(batch);
    if (const auto memory = memory_of(c)) record_.answer.reserve_bytes = static_cast<std::int64_t>(limit_ - *memory);
    return;
  }
  record_.answer.largest_state = "not confirmed: batches that fit once did not fit for long";
}

}  // namespace strobe

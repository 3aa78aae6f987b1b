// SPDX-License-Identifier: Apache-2.0
#include "study/search/within_bound.h"

#include <algorithm>

#include <fmt/format.h>

#include "record/outcome_words.h"
#include "study/search/bound_search.h"

namespace strobe {

// With more requests outstanding each waits for those before it, so the batch has to be about as much smaller.
void WithinBound::try_points(std::size_t streams) {
  std::int64_t held = 2 * trials_.smallest;  // batch times requests outstanding, at the point before
  for (const std::size_t in_flight : loads_.in_flight) {
    const auto tried = [&](std::int64_t batch) { return trials_.tried({batch, streams, in_flight, o_.copies}); };
    if (!has_batch_ || !o_.batches.empty()) {
      for (const std::int64_t b : has_batch_ ? o_.batches : std::vector<std::int64_t>{0}) tried(b);
      continue;
    }
    const auto seems_kept = [&](std::int64_t batch) {
      Case c = tried(batch);
      if (c.outcome != trial_word::fits && !is_limit(c))
        c = tried(batch + 1);  // one that crashed says nothing of the others
      if (c.outcome != trial_word::fits) record_.answer.bound_stopped_by = fmt::format("{}: {}", c.name, c.outcome);
      return seems_met(c, o_.bound()->percentile);
    };
    const auto depth = static_cast<std::int64_t>(in_flight);
    const std::int64_t largest = search_bounded(seems_kept, held / depth / 2, trials_.smallest);
    held = std::max(2 * trials_.smallest, depth * largest);
  }
}

// The fastest point that seems to keep the bound, is faster than the one that does, and could not be decided.
std::optional<std::size_t> WithinBound::name_undecided(double proven) {
  const auto decided = [&](const std::string& name) {
    return std::any_of(record_.cases.begin(), record_.cases.end(),
                       [&](const Case& c) { return c.name == name && c.trial.bound != bound_word::cannot_tell; });
  };
  std::optional<std::size_t> named;
  double most = proven;
  for (std::size_t i = 0; i < record_.cases.size(); ++i) {
    const Case& c = record_.cases[i];
    if (!seems_met(c, o_.bound()->percentile) || decided(c.name) || rate_of(c).value_or(0) <= most) continue;
    named = i;
    most = *rate_of(c);
  }
  if (!named) return std::nullopt;
  record_.answer.bound_undecided = record_.cases[*named].name;
  record_.answer.bound_undecided_rate = speed_of(record_.cases[*named]);
  record_.answer.bound_needs = fewest_to_prove(o_.bound()->percentile);
  return named;
}

// Whether a longer trial would make as many requests as a proof takes at least.
bool WithinBound::can_be_proven(const Case& c) const {
  const double requests = speed_of(c).value_or(0) / std::max<double>(1, static_cast<double>(batch_of(c)));
  return requests * longest_proof(o_) >= static_cast<double>(fewest_to_prove(o_.bound()->percentile));
}

void WithinBound::search() {
  for (const std::size_t streams : loads_.streams) try_points(streams);
  const std::vector<Case> tried = record_.cases;
  std::vector<BoundedPoint> points;
  bool doubt = false;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Case& c = tried[i];
    if (seems_met(c, o_.bound()->percentile) && (met(c) || can_be_proven(c)))
      points.push_back({i, rate_of(c).value_or(0), met(c)});
    doubt = doubt || (c.outcome == trial_word::fits && c.trial.bound != bound_word::not_met);
  }
  // The best of many is lucky by selection: it must keep the bound again, in other processes.
  for (const BoundedPoint& best : confirmation_order(std::move(points))) {
    const Case& c = tried[best.index];
    const TrialPoint p = point_of(c, o_.copies);
    const Case again = trials_.run(p, best.proven ? Purpose::rate : Purpose::proof);
    record_.cases.back().about = "confirmation run";
    if (!met(again)) continue;
    record_.answer.bound = bound_word::met;
    record_.answer.bound_point = c.name;
    record_.answer.bound_batch = p.batch;
    name_undecided(rate_of(again).value_or(0));
    trials_.answer_with(record_.cases.size() - 1);
    if (trials_.launch()) return;
    retract();
  }
  record_.answer.bound = doubt ? bound_word::cannot_tell : bound_word::not_met;
  if (doubt) so_far();
}

// Not every launch kept the bound.
void WithinBound::retract() {
  SearchAnswer& a = record_.answer;
  a.bound = a.bound_point = a.bound_undecided = {};
  a.bound_batch = a.bound_needs = {};
  a.bound_undecided_rate = {};
  trials_.answer_with_nothing();
}

void WithinBound::so_far() {
  if (const auto trial = name_undecided(0)) trials_.answer_with(*trial);
}

}  // namespace strobe

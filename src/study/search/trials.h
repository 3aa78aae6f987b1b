// SPDX-License-Identifier: Apache-2.0
// The points that a search has tried, as cases of its record: models each in a worker of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/clock.h"
#include "study/search/throughput.h"

namespace strobe {

// What a trial is for: how fast it is, whether it fits at all, whether it fits for long, whether it really keeps a
// bound; or what is reported
// of the answer.
enum class Purpose { rate, fit, soak, proof, launch };

// What is searched for: items a joule where energy was asked for, else items a second. Nothing where it did not run, or
// was not asked for.
std::optional<double> rate_of(const Case&);
const Metric* searched(const Case&);
std::optional<double> speed_of(const Case&);   // items a second, whatever is searched for
std::optional<double> memory_of(const Case&);  // that the limit is set against

// Larger batches do not run either; a crash says nothing of others.
bool is_limit(const Case&);

bool met(const Case&);  // the bound
// Met, or left open with few enough late so far: shows the search its way, and proves nothing.
bool seems_met(const Case&, double percentile);

// Of each point that has a rate the number of the middle trial (of two the slower): the fastest of several is lucky.
std::vector<std::size_t> middle_trials(std::span<const Case>);

TrialPoint point_of(const Case&, Copies);
std::int64_t batch_of(const Case&);

// So many requests, none of them late, are the fewest that prove a bound on this percentile.
std::int64_t fewest_to_prove(double percentile);
double longest_proof(const ThroughputPlan&);  // seconds

class Trials {
 public:
  Trials(const ThroughputPlan&, Record&);

  Case run(const TrialPoint&, Purpose = Purpose::rate);
  const Case* known(const TrialPoint&) const;  // with its rate; null: not tried
  Case tried(const TrialPoint& p) {
    const Case* c = known(p);
    return c ? *c : run(p);
  }

  bool is_at(const Case&, const TrialPoint&) const;  // whatever its batch

  // The record's results, telemetry and observations are those of one of its cases, by number.
  void answer_with(std::size_t trial);
  void answer_with_nothing();
  const Case* answer() const { return answer_ ? &record_.cases[*answer_] : nullptr; }
  // The answer in fresh processes, all equally long. False: one of them did not run, or broke the bound; then none of
  // them counts.
  bool launch();
  const std::vector<Record>& launches() const { return launches_; }
  double window_ns() const;  // of the answer: what its results were observed in
  void forget();             // all that was tried

  nanoseconds elapsed() const { return clock_.now() - begin_; }

  std::int64_t smallest = 1;                // batch that the model takes
  bool opened = false;                      // the model is known: what it refuses from now on is an outcome
  std::optional<std::uint64_t> host_limit;  // bytes that a trial may take of the host

 private:
  TrialPlan plan(const TrialPoint&, Purpose) const;
  double launch_seconds() const;
  Trial next(const TrialPlan&);
  void report(const TrialPoint&, std::string_view more = {}) const;

  const ThroughputPlan& o_;
  Record& record_;
  std::vector<Record> about_;          // of each of its cases
  std::vector<Record> launches_;       // of the answer
  std::optional<std::size_t> answer_;  // the number of its case
  std::size_t processes_ = 0;          // so far
  SteadyClock clock_;
  nanoseconds begin_ = clock_.now();
  std::int64_t largest_checked_ = 0;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// `strobe compare`: candidates that take turns, so that drift, clocks and neighbours hit all of them alike. Each metric
// comes out as faster, slower, equivalent, or that it cannot be told.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "device/clock.h"
#include "study/compare/candidate.h"
#include "study/compare/fail_on.h"

namespace strobe {

struct ComparePlan {
  std::vector<CandidateOptions> candidates;  // all against the first
  std::size_t rounds = 32;
  std::size_t loads = 8;  // sessions are made anew: where a model lies in memory is luck, and would look like a result
  double margin = 0.01;   // equivalent: within this
  bool workers = false;   // each candidate in a process of its own, also where one would do
  bool noise_floor = false;                  // the first candidate against itself, as one more
  std::vector<FailCondition> fail_on = {};   // one on memory gives each candidate its own process, fresh at each load
  std::uint64_t seed = 1;                    // of the order within rounds
  std::optional<nanoseconds> max_time = {};  // loads included; a round that is not complete by then does not count
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
  Clock* clock = nullptr;      // for pauses and the duration; null: the machine's
  Salvage* salvage = nullptr;  // where another thread finds the rounds so far while a candidate is stuck
};

Record compare(const ComparePlan&);

// One process can hold them all: the same runtime, and nothing that is a property of the process differs.
bool can_share_a_process(const std::vector<CandidateOptions>&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// `strobe compare`: pairs of fresh launches, one of every candidate, that take turns, so that drift, clocks and
// neighbours hit all of them alike. A pair is one observation: what a process or a load draws once (memory, streams,
// threads) would look like a result otherwise. Each metric comes out as faster, slower, equivalent, or that it cannot
// be told.
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
  std::size_t pairs = 16;                    // launches of every candidate
  double margin = 0.01;                      // equivalent: within this
  bool in_process = false;                   // launches are loads in this process: callables cannot be anywhere else
  bool noise_floor = false;                  // the first candidate against itself, as one more
  bool energy = false;                       // also that of requests
  std::vector<FailCondition> fail_on = {};   // one on memory weighs each launch
  std::uint64_t seed = 1;                    // of the order within pairs
  std::optional<nanoseconds> max_time = {};  // loads included; a pair that is not complete by then does not count
  std::function<void(const Progress&)> progress = {};
  std::function<bool()> stop = {};
  Clock* clock = nullptr;      // for pauses and the duration; null: the machine's
  Salvage* salvage = nullptr;  // where another thread finds the pairs so far while a candidate is stuck
};

// Turns that each candidate has in a pair: A B B A A B B A.
inline constexpr std::size_t kTurnsOfPair = 4;

Record compare(const ComparePlan&);

// One process can hold them all: the same runtime, and nothing that is a property of the process differs.
bool can_share_a_process(const std::vector<CandidateOptions>&);

}  // namespace strobe

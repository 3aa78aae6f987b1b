// SPDX-License-Identifier: Apache-2.0
// Findings that share a cause belong together: a busy machine preempts, faults and takes its canary's time, and a
// reader needs to hear of it once. Text and page group findings in this way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// `notes` doubt nothing, and share no cause with anything that does; `advice` is what is about the workload.
enum class Cause {
  validity,
  conditions,
  timing,
  host,
  clocks,
  warm_up,
  input,
  instability,
  sample,
  other,
  notes,
  advice
};

struct CauseGroup {
  Cause cause = Cause::other;
  std::string_view title = {};                // "the machine was disturbed"
  std::vector<const Finding*> findings = {};  // the one that matters most first
  bool counts = false;                        // one of them at least makes the verdict what it is
  std::optional<double> effect = {};          // the largest among those that count, relative; none when nobody knows
  std::string phrase = {};                    // the first finding in a few words, with its number
};

// Does it make the verdict what it is? Notes do not, nor does anything about the workload.
bool counts_for_verdict(const Finding&);

// The order within a group: what counts, then the graver, then the larger effect.
bool matters_more(const Finding*, const Finding*);

// How much it may move the result, relative; nothing when the finding does not know.
std::optional<double> effect_of(const Finding&);

// "14 %"; beyond the value itself "more than 100 %", because a larger percentage tells nobody anything.
std::string effect_text(double effect);

// "something else took the CPU 60 % of the time"; the whole message where there is no shorter form.
std::string short_phrase(const Finding&);

// "+1.2 %": how far it moves the metric it was seen in; empty where it does not know.
std::string change_text(const Finding&);

// Groups that count first, the main cause at the front; notes after them, advice last. The findings must outlive the
// groups.
std::vector<CauseGroup> by_cause(const std::vector<Finding>&);

}  // namespace strobe

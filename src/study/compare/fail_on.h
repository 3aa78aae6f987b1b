// SPDX-License-Identifier: Apache-2.0
// Conditions that make a comparison fail: `--fail-on slower=2%`, `--fail-on p99=5%`. The interval in the record
// decides: wholly beyond the limit fails, wholly within it passes, and anything else cannot be told, which is no pass.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <strobe/record.h>

namespace strobe {

struct FailCondition {
  std::string text;                  // as typed
  std::string metric;                // empty: the headline, which is whatever leads the comparison
  std::optional<double> percentile;  // of that metric; none: its median
  double limit = 0;                  // worse by more than this share fails
};

// "slower=2%", "p99=5%" (of the headline), or a metric: "throughput=2%". Throws Error (usage).
FailCondition parse_fail_on(const std::string& text);

bool asks_for_memory(std::span<const FailCondition>);
std::vector<double> percentiles_of(std::span<const FailCondition>);

// The metric that a comparison is about: the latency, or what stands for it; empty when nothing was compared.
std::string headline_metric(const Record&);

// Decides each condition for each candidate but the first, and doubts what could not be decided.
void apply_fail_on(std::span<const FailCondition>, Record&);

// Doubts a comparison whose headline could not be decided, unless a condition on it has said so.
void doubt_undecided(Record&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The verdict in one sentence: the word, how much the result may be off, and why. Text and page say the same.
#pragma once

#include <optional>
#include <string>

#include <strobe/record.h>

namespace strobe {

// What follows the word: "±14 %: something else took the CPU 60 % of the time". Never empty.
std::string verdict_reason(const Record&);

// Where no finding says why: of checks how many failed.
std::string no_reason(const Record&);
std::string failed_checks(const Record&);

// "caution: ±14 %: something else took the CPU 60 % of the time".
std::string verdict_sentence(const Record&);

// The estimate that a reader takes away: the first ratio of a comparison, the median latency, the best rate.
std::optional<Estimate> headline_estimate(const Record&);

}  // namespace strobe

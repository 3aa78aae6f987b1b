// SPDX-License-Identifier: Apache-2.0
// What a search for throughput found, in one sentence and in numbers: every format begins with it. Nothing for other
// verbs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/record.h>

namespace strobe {

// "Best batch 16: 852 /s [850, 854]; the largest that fits is 512."
std::string search_sentence(const Record&);
// In what the rate was observed, because a closed loop is no open one, and a second no hour: "closed loop, 4 in flight;
// 3.02 s observed in 3 launches". Empty where a record does not say it.
std::string how_loaded(const Record&);

// best_batch, largest_batch, bound_batch: those that were found.
struct AnswerNumber {
  std::string_view name, help;
  std::int64_t value = 0;
};
std::vector<AnswerNumber> search_numbers(const Record&);

// Of --max-latency: met, not-met, cannot-tell.
std::optional<std::string> bound_outcome(const Record&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Whether a figure comes back, in words. Text, page and tables say the same.
#pragma once

#include <string>
#include <string_view>

#include <strobe/record.h>

namespace strobe {

// "repeats ±0.3 %", "varies ±3.8 %", "repeats over loads ±0.3 %", "one launch", "invalid"; empty where nothing is said
// of it.
std::string standing_text(const Metric&);

// What moves it most, in a phrase: "two levels: 376 µs (3 of 5 launches), 388 µs (2 of 5)", "set by the host"; empty
// where nothing is known.
std::string standing_cause(std::string_view metric, const Record&);

// What each source alone would move the next launch's number by: "requests 0.1 %, rounds 0.4 %, launches 1.3 %".
std::string uncertainty_text(std::string_view metric, const Record&);

// Of a record of several launches: what its deciding metrics do.
std::string standing_reason(const Record&);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Times that somebody else measured: a column of numbers, or the JSON of google-benchmark (with repetitions), nvbench,
// trtexec (--exportTimes), hyperfine and pytest-benchmark. Which of them it is shows in the text itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/cells.h"

namespace strobe {

struct ForeignTimes {
  std::string tool;  // "times", "strobe", "google-benchmark", "nvbench", "trtexec", "hyperfine", "pytest-benchmark"
  std::string name;  // of the benchmark, where the tool gives one
  std::vector<double> ns;          // in the order they were taken
  std::vector<double> at_seconds;  // when each began, since the first; empty where nobody says
  std::string note;                // what a reading is, where it is not one call, and how it was read
};

struct ForeignTimesOptions {
  std::string unit =
      {};  // of numbers that have none, neither behind them nor in the heading: ns, us, ms or s (default s)
  std::string name = {};    // which benchmark, where a file holds several
  std::string column = {};  // of a table: its heading or its number, from 1
  DecimalSign decimal = DecimalSign::unknown;
};

// Throws Error that says what is wrong and, where there is a choice, which option makes it.
ForeignTimes parse_foreign_times(std::string_view text, const ForeignTimesOptions& = {});

// Whether parse_foreign_times would find something to read or to ask about.
bool may_hold_times(std::string_view text);

// Nanoseconds in a unit that a user named; seconds where it is empty. Throws a usage Error.
double unit_option(std::string_view word);

}  // namespace strobe

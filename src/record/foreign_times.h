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

inline constexpr char kTrtexec[] = "trtexec";

// What a tool timed of the same requests beside its main time, as the metric of ours that it is.
struct ForeignPart {
  std::string metric;
  std::vector<double> ns;
  double tick_ns = 0;  // as in ForeignTimes
};

struct ForeignTimes {
  std::string tool;  // "times", "strobe", "google-benchmark", "nvbench", "trtexec", "hyperfine", "pytest-benchmark"
  std::string name;  // of the benchmark, where the tool gives one
  std::vector<double> ns;          // in the order they were taken
  std::vector<double> at_seconds;  // when each began, since the first; empty where nobody says
  std::string note;                // what a reading is, where it is not one call, and how it was read
  double tick_ns = 0;              // the step of its clock, as far as the file's form tells; 0: it does not
  std::vector<ForeignPart> parts;
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

// What a tool's time under this metric is, in one sentence; empty where our own definition holds.
std::string_view foreign_definition(std::string_view tool, std::string_view metric);

// Nanoseconds in a unit that a user named; seconds where it is empty. Throws a usage Error.
double unit_option(std::string_view word);

}  // namespace strobe

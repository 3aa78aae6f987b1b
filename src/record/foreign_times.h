// Times that somebody else measured: a column of numbers, or the JSON of google-benchmark (with repetitions), nvbench,
// trtexec (--exportTimes), hyperfine and pytest-benchmark. Which of them it is shows in the text itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe {

struct ForeignTimes {
  std::string tool;                // "times", "google-benchmark", "nvbench", "trtexec", "hyperfine", "pytest-benchmark"
  std::string name;                // of the benchmark, where the tool gives one
  std::vector<double> ns;          // in the order they were taken
  std::vector<double> at_seconds;  // when each began, since the first; empty where nobody says
  std::string note;                // what a reading is, where it is not one call
};

// `unit` is that of a plain column: ns, us, ms or s (default s). `wanted` chooses by name where a file holds several.
// Throws Error that says what is wrong and, for several, which there are.
ForeignTimes parse_foreign_times(std::string_view text, std::string_view unit = {}, std::string_view wanted = {});

}  // namespace strobe

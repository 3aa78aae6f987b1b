// SPDX-License-Identifier: Apache-2.0
// Where results go: stdout in the format asked for, files by their suffix, progress on stderr.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <strobe/measure.h>
#include <strobe/record.h>

#include "cli/progress_line.h"
#include "record/study_info.h"

namespace CLI {
class App;
}

namespace strobe {
class Salvage;
}

namespace strobe::cli {

class Watch;

struct OutputArguments {
  std::string format = "text", color = "auto", json, require;
  std::vector<std::string> exports, sweeps;
  bool quiet = false, no_progress = false, explain = false, verbose = false;
  std::string_view no_sweep;   // not empty: why this verb cannot be swept
  Watch* watch = nullptr;      // what goes on beside the measurement
  Salvage* salvage = nullptr;  // who gets what there is when a request does not end

  void declare(CLI::App&, const StudyInfo&);
  // Both complain before anything is measured. `read`: files that no result may be written over; `samples`: where
  // --samples goes, if it does.
  void check() const;
  void check_inputs(const std::vector<std::filesystem::path>& read, const std::string& samples = {}) const;
  // Prints and writes; gives the exit code that the record deserves.
  int deliver(Record&) const;
  ProgressLine::Form progress_form() const;
  // What a measurement reports to; nothing where nobody watches, as in a worker.
  std::function<void(const Progress&)> progress() const;
  // The runtime's own warnings, on stderr unless --quiet.
  std::function<void(const std::string&)> log() const;
};

// A terminal that obeys escape sequences: not one that says it is dumb, as an editor's does.
bool takes_sequences(int descriptor);

// Throws Error (unwritable) when stdout is closed or full.
void print(std::string_view text);

// A line with a path: for a script as it is, for a terminal without what it would obey.
void print_path(const std::filesystem::path&);

}  // namespace strobe::cli

// Which runtimes there are, and loading them. Plugins lie beside the library, in `strobe/` below it, or in the folders
// of STROBE_PLUGIN_PATH (first). Nothing is loaded before it is asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/runtime.h"

namespace strobe {

// A runtime this program knows of, whether or not it is here.
struct RuntimeEntry {
  std::string_view name;
  std::string_view suffixes;  // of the model files it reads, separated by blanks
  std::string_view advice;    // how to get it
};
std::span<const RuntimeEntry> known_runtimes();

// The runtime that reads this file, by its suffix.
const RuntimeEntry& runtime_for(const std::string& model_path);

// Throws Error with every place that was looked at and why it did not do.
std::unique_ptr<Runtime> load_runtime(std::string_view name);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Which runtimes there are, and loading them. Plugins lie beside the library, in `strobe/` below it, or in the folders
// of STROBE_PLUGIN_PATH (first). Nothing is loaded before it is asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "workload/runtime/onnx_files.h"
#include "workload/runtime/runtime.h"

namespace strobe {

// What is peculiar to a runtime, known without loading it.
struct RuntimeTraits {
  struct Setting {
    std::string_view key, value;
  };
  bool own_threads = true;           // it uses as many as there are CPUs, unless told otherwise
  bool own_streams = false;          // one session makes several requests beside each other (ModelOptions::at_once)
  bool one_setup_a_process = false;  // one pool of threads and one set of precision flags for all of its models
  std::optional<Setting> ends_spinning = {};  // else its threads spin on after a request, into another's turn
  std::optional<Setting> exact_memory = {};   // else its arena doubles, and fails at half of the memory
  std::optional<Setting> precision = {};      // how it multiplies f32; with the values that make sides alike
  std::string_view threads_setting = {};      // means what --threads does
  std::set<std::string> (*other_files)(const std::filesystem::path&) = external_data_of;  // of a model, beside its own
};

// A runtime this program knows of, whether or not it is here.
struct RuntimeEntry {
  std::string_view name;
  std::string_view suffixes;  // of the model files it reads, separated by blanks
  std::string_view advice;    // how to get it
  RuntimeTraits traits = {};
};
std::span<const RuntimeEntry> known_runtimes();

// The runtime that reads this file, by its suffix.
const RuntimeEntry& runtime_for(const std::string& model_path);

// The files that belong to a model beside its own, as it calls them; some may be missing.
std::set<std::string> other_files_of(const std::filesystem::path& model);

// Throws Error with every place that was looked at and why it did not do.
std::unique_ptr<Runtime> load_runtime(std::string_view name);

}  // namespace strobe

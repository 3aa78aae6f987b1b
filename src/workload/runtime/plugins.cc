// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/plugins.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/build_info.h"
#include "host/library.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

using Setting = RuntimeTraits::Setting;

// The weights of an OpenVINO model have its name.
std::set<std::string> weights_beside(const fs::path& model) {
  return {model.filename().replace_extension(".bin").string()};
}

constexpr std::array kRuntimes{
    RuntimeEntry{"onnxruntime",
                 ".onnx .ort",
                 "Build it with 'make build', which fetches the headers and the library.",
                 {.ends_spinning = Setting{"session.force_spinning_stop", "1"},
                  .exact_memory = Setting{"cuda.arena_extend_strategy", "kSameAsRequested"},
                  .precision = Setting{"cuda.use_tf32", "0"},
                  .threads_setting = "intra_op_num_threads"}},
    RuntimeEntry{"torch",
                 ".pt .pt2",
                 "Build it with 'make torch', which fetches the library (530 MB).",
                 {.one_setup_a_process = true, .precision = Setting{"allow_tf32", "0 or 1"}}},
    RuntimeEntry{"openvino",
                 ".xml",
                 "Fetch its library (60 MB) and build it with 'make openvino'.",
                 {.own_streams = true,
                  .precision = Setting{"INFERENCE_PRECISION_HINT", "f32"},
                  .threads_setting = "INFERENCE_NUM_THREADS",
                  .other_files = weights_beside}},
};

// By the suffix; null where it is nobody's.
const RuntimeEntry* reader_of(const fs::path& model) {
  const std::string suffix = model.extension().string();
  for (const RuntimeEntry& r : kRuntimes) {
    const auto suffixes = split(r.suffixes, ' ');
    if (std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end()) return &r;
  }
  return nullptr;
}

std::vector<fs::path> places(std::string_view name) {
  const std::string file = fmt::format("strobe_{}.so", name);
  std::vector<fs::path> list;
  if (const char* path = std::getenv("STROBE_PLUGIN_PATH")) {
    for (const std::string_view folder : split(path, ':')) {
      if (!folder.empty()) list.push_back(fs::path(folder) / file);
    }
  }
  list.push_back(library_folder() / "strobe" / file);
  list.push_back(library_folder() / file);
  return list;
}

// The plugin in this file, or why not.
const Plugin* open_plugin(const fs::path& file, std::string& why_not) {
  const Library lib = Library::open(file.string());
  if (!lib) {
    why_not = lib.why_not();
    return nullptr;
  }
  const auto entry = lib.function<const Plugin*()>("strobe_plugin");
  if (!entry) {
    why_not = fmt::format("{} is not a plugin of strobe", file.string());
    return nullptr;
  }
  const Plugin* plugin = entry();
  if (std::string_view(plugin->build_id) != kBuildId) {
    why_not = fmt::format("{} belongs to another build ({}; this is {})", file.string(), plugin->build_id, kBuildId);
    return nullptr;
  }
  return plugin;
}

}  // namespace

std::span<const RuntimeEntry> known_runtimes() {
  return kRuntimes;
}

const RuntimeEntry& runtime_for(const std::string& model_path) {
  if (const RuntimeEntry* r = reader_of(model_path)) return *r;
  const std::string suffix = fs::path(model_path).extension().string();
  std::vector<std::string_view> all;
  for (const RuntimeEntry& r : kRuntimes) {
    for (const std::string_view s : split(r.suffixes, ' ')) all.push_back(s);
  }
  throw Error(ErrorCode::usage, fmt::format("cannot tell what kind of model '{}' is", model_path),
              suffix.empty() ? "it has no suffix" : fmt::format("'{}' is none of {}", suffix, fmt::join(all, ", ")),
              "Name the runtime: --runtime, or 'runtime' in a pipeline file.");
}

std::set<std::string> other_files_of(const fs::path& model) {
  const RuntimeEntry* reader = reader_of(model);
  return (reader ? reader->traits : RuntimeTraits{}).other_files(model);
}

std::unique_ptr<Runtime> load_runtime(std::string_view name) {
  std::vector<std::string> names;
  const RuntimeEntry* entry = nullptr;
  for (const RuntimeEntry& r : kRuntimes) {
    names.emplace_back(r.name);
    if (r.name == name) entry = &r;
  }
  if (!entry) {
    throw Error(ErrorCode::usage, fmt::format("unknown runtime '{}'", name.substr(0, 40)), {},
                fmt::format("The runtimes are {}.{}", fmt::join(names, ", "), did_you_mean(name, names)));
  }
  std::string reasons;
  for (const fs::path& file : places(name)) {
    std::error_code code;
    if (!fs::exists(file, code)) continue;
    std::string why_not;
    if (const Plugin* plugin = open_plugin(file, why_not)) return plugin->make();
    reasons += (reasons.empty() ? "" : "; ") + why_not;
  }
  if (reasons.empty())
    reasons = fmt::format("there is no strobe_{}.so in {}", name, (library_folder() / "strobe").string());
  throw Error(ErrorCode::not_found, fmt::format("cannot use the runtime {}", name), reasons,
              std::string(entry->advice));
}

}  // namespace strobe

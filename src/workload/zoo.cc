// SPDX-License-Identifier: Apache-2.0
#include "workload/zoo.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <strobe/error.h>

#include "base/parse.h"
#include "host/file.h"
#include "host/interrupt.h"
#include "host/library.h"
#include "host/process.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  return library_folder().parent_path() / "share" / "strobe";
}

std::vector<fs::path> model_folders() {
  std::vector<fs::path> folders{shared_folder() / "zoo"};
  if (const char* zoo = std::getenv("STROBE_ZOO"); zoo && *zoo) folders.emplace_back(zoo);
  return folders;
}

// Where a model that is built on demand goes: the user's own folder if there is one, else beside the others.
fs::path build_folder() {
  return model_folders().back();
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const ZooModel& m : zoo_models()) list.push_back(m.name);
  return list;
}

void check_name(std::string_view name) {
  const auto known = names();
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(ErrorCode::usage, fmt::format("there is no model 'zoo:{}'", name.substr(0, 40)), {},
              fmt::format("The zoo has {}.{}", fmt::join(known, ", "), did_you_mean(name, known)));
}

// Runs `python -m zoo …` and gives what it printed. What it says last when it fails is the cause.
std::string run_zoo(const std::string& python, std::vector<std::string> arguments, const std::string& what) {
  arguments.insert(arguments.begin(), {python, "-m", "zoo"});
  const ProcessResult r = run_process(arguments, {"PYTHONPATH=" + (shared_folder() / "python").string()});
  if (r.exit_code == 0) return std::string(trim(r.out));
  if (Interrupt::requested()) throw Error(ErrorCode::interrupted, "interrupted while a model was made");
  std::string_view said = trim(r.err);
  said.remove_prefix(said.rfind('\n') + 1);
  if (said.starts_with("zoo: ")) said.remove_prefix(5);
  throw Error(ErrorCode::failed, what, std::string(said));
}

void build_model(std::string_view name, std::int64_t classes, const std::string& python) {
  run_zoo(python, {"build", std::string(name), "--out", build_folder().string(), "--classes", std::to_string(classes)},
          fmt::format("cannot build zoo:{} with {}", name, python));
}

// As zoo/catalogue.py names it.
std::string file_stem(std::string_view name, std::int64_t classes) {
  return classes == kZooClasses ? std::string(name) : fmt::format("{}_c{}", name, classes);
}

Error not_built(std::string_view name, std::int64_t classes) {
  constexpr const char* kOnDemand = "set STROBE_PYTHON to an interpreter that has numpy and onnx";
  if (classes == kZooClasses)
    return {ErrorCode::not_found,
            fmt::format("zoo:{} has not been built yet", name),
            {},
            fmt::format("Type 'make zoo' in the source folder, or {}.", kOnDemand)};
  return {ErrorCode::not_found,
          fmt::format("zoo:{} has not been built with {} classes yet", name, classes),
          {},
          fmt::format("Type '.venv/bin/python -m zoo build {} --classes {} --out FOLDER' in the source folder and set "
                      "STROBE_ZOO to that folder, or {}.",
                      name, classes, kOnDemand)};
}

}  // namespace

std::vector<ZooModel> zoo_models() {
  const fs::path file = shared_folder() / "python" / "zoo" / "models.json";
  const auto table = nlohmann::json::parse(read_file(file), nullptr, false);
  std::vector<ZooModel> models;
  if (table.is_object() && table.contains("models")) {
    for (const auto& m : table["models"]) {
      models.push_back(
          {m.value("name", ""), m.value("shape", ""), m.value("about", ""), m.value("parameters", std::uint64_t{0})});
    }
  }
  if (models.empty())
    throw Error(ErrorCode::bad_input, fmt::format("cannot read '{}'", file.string()), "it lists no models",
                "Build strobe again.");
  return models;
}

std::optional<fs::path> find_zoo_model(std::string_view name) {
  for (const fs::path& folder : model_folders()) {
    fs::path file = folder / fmt::format("{}.onnx", name);
    std::error_code code;
    if (fs::is_regular_file(file, code)) return file;
  }
  return std::nullopt;
}

fs::path zoo_path(std::string_view name, std::int64_t classes) {
  check_name(name);
  const std::string stem = file_stem(name, classes);
  if (auto file = find_zoo_model(stem)) return std::move(*file);
  if (const char* python = std::getenv("STROBE_PYTHON"); python && *python) {
    build_model(name, classes, python);
    if (auto file = find_zoo_model(stem)) return std::move(*file);
  }
  throw not_built(name, classes);
}

fs::path export_zoo_model(const ZooExport& e) {
  check_name(e.name);
  const char* set = std::getenv("STROBE_PYTHON");
  const std::string python = set && *set ? set : "python3";
  std::vector<std::string> arguments{"export", e.name, "--format", e.format, "--device", e.device};
  arguments.insert(arguments.end(), {"--batch-max", std::to_string(e.batch_max)});
  arguments.insert(arguments.end(), {"--classes", std::to_string(e.classes)});
  if (!e.weights.empty()) arguments.insert(arguments.end(), {"--weights", e.weights});
  if (!e.out.empty()) arguments.insert(arguments.end(), {"--out", e.out.string()});
  const std::string said =
      run_zoo(python, arguments, fmt::format("cannot export zoo:{} as .{} with {}", e.name, e.format, python));
  return said.substr(said.rfind('\n') + 1);
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "workload/model_files.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include <strobe/error.h>

#include "host/file.h"
#include "workload/runtime/plugins.h"
#include "workload/zoo.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void model_changed(const std::string& model) {
  throw Error(ErrorCode::changed, fmt::format("cannot use what was measured of '{}'", model),
              "the model changed while it was measured", "Leave its files alone, and measure again.");
}

// Its own file first.
std::vector<fs::path> parts_of(const fs::path& file) {
  std::vector<fs::path> parts{file};
  for (const std::string& name : other_files_of(file)) parts.push_back(file.parent_path() / name);
  return parts;
}

}  // namespace

fs::path file_of_model(const std::string& model) {
  if (model.starts_with("sim:") || model.starts_with("work:")) return {};
  if (!model.starts_with("zoo:")) return model;
  return find_zoo_model(model.substr(4)).value_or(fs::path());
}

std::vector<fs::path> files_read(const Model& o) {
  std::vector<fs::path> files;
  if (const fs::path model = file_of_model(o.model); !model.empty()) files = parts_of(model);
  for (const auto& [input, file] : o.input) files.emplace_back(file);
  return files;
}

void fingerprint(const fs::path& file, ModelInfo& info) {
  info.sha256 = sha256_of_file(file);
  info.files.clear();
  for (const std::string& name : other_files_of(file)) {
    std::error_code unknown;
    // One that is missing was not needed: the model was loaded without it.
    if (const fs::path part = file.parent_path() / name; fs::is_regular_file(part, unknown))
      info.files.push_back({name, sha256_of_file(part)});
  }
}

void check_same_files(const ModelInfo& first, const ModelInfo& now) {
  if (first.sha256 != now.sha256 || first.files != now.files) model_changed(first.name);
}

void check_unchanged(const ModelInfo& measured) {
  if (measured.sha256.empty()) return;
  ModelInfo now;
  try {
    fingerprint(file_of_model(measured.path), now);
  } catch (const Error&) {  // it is gone: what was loaded is not what a second look would find
    model_changed(measured.name);
  }
  check_same_files(measured, now);
}

FileStamps::FileStamps(const fs::path& file) : file_(file), stamps_(stamps_of(file)) {}

void FileStamps::check_untouched() const {
  if (stamps_of(file_) != stamps_) model_changed(file_.filename().string());
}

std::vector<FileStamps::Stamp> FileStamps::stamps_of(const fs::path& file) {
  std::vector<Stamp> stamps;
  for (const fs::path& part : parts_of(file)) {
    Stamp& s = stamps.emplace_back();
    s.file = part;
    struct stat found{};
    if (::stat(part.c_str(), &found) != 0) continue;
    s.size = static_cast<std::uintmax_t>(found.st_size);
    s.device = found.st_dev;
    s.inode = found.st_ino;
    s.changed_ns = found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec;
  }
  return stamps;
}

}  // namespace strobe

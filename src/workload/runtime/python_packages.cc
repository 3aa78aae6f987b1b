// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/python_packages.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "base/parse.h"
#include "host/library.h"
#include "host/needed_libraries.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sorted_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// nvidia/cudnn/lib, nvidia/cu13/lib, …, behind what the user named.
std::vector<fs::path> folders_in(const std::vector<fs::path>& environments) {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    for (const std::string_view folder : split(path, ':')) {
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  for (const fs::path& environment : environments) {
    if (environment.empty()) continue;
    for (const fs::path& package : sorted_files(environment / "nvidia")) folders.push_back(package / "lib");
  }
  return folders;
}

// These are asked for by name once there is something to compile, by the release of the CUDA runtime.
constexpr std::array<std::string_view, 2> kAskedForLater{"libnvJitLink.so.", "libnvrtc.so."};
constexpr std::string_view kCudaRuntime = "libcudart.so.";

class NvidiaOpener {
 public:
  explicit NvidiaOpener(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

  void open_needs_of(const fs::path& library) {
    for (const std::string& name : needed_libraries(library)) {
      if (name.starts_with(kCudaRuntime)) {
        for (const std::string_view later : kAskedForLater) open(std::string(later) + name.substr(kCudaRuntime.size()));
      }
      open(name);
    }
  }
  std::vector<fs::path> opened() && { return std::move(opened_); }

 private:
  void open(const std::string& name) {
    if (!seen_.insert(name).second || Library::opened(name)) return;
    const fs::path file = find(name);
    if (file.empty()) return;
    open_needs_of(file);
    if (Library::open(file.string())) opened_.push_back(file);
  }

  fs::path find(const std::string& name) const {
    std::error_code none;
    for (const fs::path& folder : folders_) {
      if (fs::exists(folder / name, none)) return folder / name;
    }
    return {};
  }

  std::vector<fs::path> folders_, opened_;
  std::set<std::string> seen_;
};

}  // namespace

fs::path own_packages() {
  const fs::path package = library_folder().parent_path();
  return package.filename() == "strobe" ? package.parent_path() : fs::path();
}

fs::path packages_of(const fs::path& library) {
  return library.parent_path().parent_path().parent_path();
}

std::vector<fs::path> package_libraries(const fs::path& folder, std::string_view begin) {
  std::vector<fs::path> files;
  const fs::path packages = own_packages();
  if (packages.empty()) return files;
  for (const fs::path& file : sorted_files(packages / folder)) {
    if (file.filename().string().starts_with(begin)) files.push_back(file);
  }
  std::reverse(files.begin(), files.end());
  return files;
}

std::vector<fs::path> open_nvidia_packages(const fs::path& library, const std::vector<fs::path>& environments) {
  NvidiaOpener opener(folders_in(environments));
  opener.open_needs_of(library);
  return std::move(opener).opened();
}

}  // namespace strobe

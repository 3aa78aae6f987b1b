// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/library.h"

#include <cstdlib>
#include <torch/headeronly/version.h>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"
#include "host/library.h"
#include "workload/runtime/python_packages.h"
#include "workload/runtime/torch/version.h"

namespace strobe::torch_plugin {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libtorch_cpu.so";
constexpr const char* kAdvice =
    "Install that version (pip install torch), or name the folder with libtorch_cpu.so (site-packages/torch/lib of the "
    "Python package) in STROBE_TORCH.";

// One place only, the first that has the file: two torch libraries in one process would mix their symbols.
std::string place() {
  if (Library::opened(kFile)) return kFile;  // by Python's `import torch`
  if (const char* folder = std::getenv("STROBE_TORCH"); folder && *folder) return (fs::path(folder) / kFile).string();
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    for (const std::string_view folder : split(path, ':')) {
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  if (const fs::path packages = own_packages(); !packages.empty()) folders.push_back(packages / "torch" / "lib");
  folders.emplace_back(STROBE_TORCH_FOLDER);
  std::error_code code;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / kFile, code)) return (folder / kFile).string();
  }
  return kFile;
}

}  // namespace

void open_library() {
  const std::string file = place();
  // Global: a compiled package finds torch's functions among the process's symbols.
  const Library lib = Library::open(file, true);
  if (!lib) throw Error(ErrorCode::not_found, "cannot use torch", lib.why_not(), kAdvice);
  const auto version = lib.function<std::uint64_t()>("aoti_torch_abi_version");
  const std::string found = version ? version_text(version()) : "older than 2.9";
  const std::uint64_t minor = TORCH_ABI_VERSION >> 48;
  if (!version || version() >> 48 != minor)
    throw Error(ErrorCode::unsupported, "cannot use torch",
                fmt::format("{} is version {}, and this plugin was built for {}.{}", lib.path().string(), found,
                            TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR),
                kAdvice);
}

}  // namespace strobe::torch_plugin

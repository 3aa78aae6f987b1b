// SPDX-License-Identifier: Apache-2.0
#include "study/worker_program.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/parse.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

fs::path own_library() {
  Dl_info library{};
  if (!::dladdr(reinterpret_cast<const void*>(&strobe_program), &library) || !library.dli_fname) return {};
  std::error_code ignored;
  return fs::absolute(library.dli_fname, ignored);
}

std::vector<fs::path> places(const ProgramSearch& s) {
  std::vector<fs::path> all;
  if (s.self.filename() == "strobe") all.push_back(s.self);
  if (!s.library.empty()) {
    const fs::path folder = s.library.parent_path();
    for (const char* bin : {"../bin", "../../bin"}) all.push_back(folder / bin / "strobe");
  }
  for (const std::string_view folder : split(s.path, ':')) {
    if (!folder.empty()) all.push_back(fs::path(folder) / "strobe");
  }
  return all;
}

}  // namespace

std::string find_program(const ProgramSearch& s) {
  if (!s.named.empty()) {
    if (is_program(s.named)) return s.named;
    throw Error(ErrorCode::not_found, fmt::format("cannot run workers with '{}'", s.named),
                "STROBE_PROGRAM names it, and it is no program");
  }
  for (const fs::path& file : places(s)) {
    if (is_program(file)) return fs::weakly_canonical(file).string();
  }
  throw Error(ErrorCode::not_found, "cannot find the program 'strobe', which runs workers",
              "it is neither beside the library nor in PATH", "Install it, or set STROBE_PROGRAM to its path.");
}

std::string strobe_program() {
  std::error_code ignored;
  return find_program(
      {value_of("STROBE_PROGRAM"), fs::read_symlink("/proc/self/exe", ignored), own_library(), value_of("PATH")});
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "cli/output_files.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe::cli {
namespace {

namespace fs = std::filesystem;

// One file has several names; one that is not there yet has no number, and is told by the name it will have.
bool is_same_file(const fs::path& a, const fs::path& b) {
  struct stat first{}, second{};
  const bool a_exists = ::stat(a.c_str(), &first) == 0, b_exists = ::stat(b.c_str(), &second) == 0;
  if (a_exists && b_exists)
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  std::error_code ignored;
  const auto future_name = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return !a_exists && !b_exists && future_name(a) == future_name(b);
}

}  // namespace

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<fs::path>& read) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputFile& out = outputs[i];
    for (const fs::path& in : read) {
      if (is_same_file(out.file, in))
        throw Error(ErrorCode::usage, fmt::format("cannot write {} to '{}'", out.option, out.file),
                    out.file == in.string() ? "it is read" : fmt::format("it is '{}', which is read", in.string()),
                    "Give another name.");
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (is_same_file(out.file, outputs[k].file))
        throw Error(ErrorCode::usage, fmt::format("cannot write {} to '{}'", out.option, out.file),
                    fmt::format("{} writes there", outputs[k].option), "Give another name.");
    }
  }
}

}  // namespace strobe::cli

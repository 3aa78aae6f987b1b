// SPDX-License-Identifier: Apache-2.0
// Files: reading whole ones, writing so that an interrupted run leaves a whole file or none.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace strobe {

std::string read_file(const std::filesystem::path&);

// Under a temporary name and renamed where the target is absent or a regular file; in place otherwise (a pipe,
// /dev/stdout).
void write_file(const std::filesystem::path&, std::string_view contents);

// Fails now, with the reason, if write_file would fail later: nobody wants to learn that after a minute of measuring.
void check_writable(const std::filesystem::path&);

std::string sha256_of_file(const std::filesystem::path&);

// An empty folder where the system keeps what is temporary; gone, with all that is in it, when this is.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The files that make up a model, and whether they are still the ones that were measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <strobe/record.h>

#include "workload/open_model.h"

namespace strobe {

// The file of a model as a user calls it; empty for built-in work, and for a model of the zoo that is not built yet.
std::filesystem::path file_of_model(const std::string& model);

// What opening reads: the model's file, those it refers to, values of inputs.
std::vector<std::filesystem::path> files_read(const Model&);

// SHA-256 of the model's file and of all others that belong to it.
void fingerprint(const std::filesystem::path& file, ModelInfo&);

// Both throw Error (changed) where a file is not what it was: one result must not be of two models.
void check_same_files(const ModelInfo& first, const ModelInfo& now);
void check_unchanged(const ModelInfo& measured);  // reads the files again: not while something is timed

// Size, place and time of change of a model's files: has anybody touched them between two moments? Cheap, for the time
// in which a runtime reads them; what is in them is compared by fingerprint.
class FileStamps {
 public:
  explicit FileStamps(const std::filesystem::path& file);
  void check_untouched() const;  // throws Error (changed)

 private:
  struct Stamp {
    std::filesystem::path file;
    std::uintmax_t size = 0;
    std::uint64_t device = 0, inode = 0;
    std::int64_t changed_ns = 0;

    bool operator==(const Stamp&) const = default;
  };
  static std::vector<Stamp> stamps_of(const std::filesystem::path& file);

  std::filesystem::path file_;
  std::vector<Stamp> stamps_;
};

}  // namespace strobe

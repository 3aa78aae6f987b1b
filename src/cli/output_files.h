// SPDX-License-Identifier: Apache-2.0
// Results must not destroy what they are made from, nor each other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strobe::cli {

struct OutputFile {
  std::string option;  // what named it: "--json"
  std::string file;
};

// Throws Error (usage) where an output is a file that is read, or two outputs are one file, however they are spelled:
// links count as what they point at. Pipes and devices are no files.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::filesystem::path>& read);

}  // namespace strobe::cli

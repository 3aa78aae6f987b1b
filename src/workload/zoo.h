// SPDX-License-Identifier: Apache-2.0
// The models that come along: finding their files. Building them is the work of zoo/ (Python).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strobe {

struct ZooModel {
  std::string name, shape, about;
  std::uint64_t parameters = 0;
};
std::vector<ZooModel> zoo_models();

// Where a model's file is, or nothing.
std::optional<std::filesystem::path> find_zoo_model(std::string_view name);

inline constexpr std::int64_t kZooClasses = 1000;  // of ImageNet

// Looks beside the program, then in STROBE_ZOO, then builds it with the interpreter of STROBE_PYTHON; else an Error
// that says which command to type.
std::filesystem::path zoo_path(std::string_view name, std::int64_t classes = kZooClasses);

// A model as a file for torch, written by Python with torch and torchvision (STROBE_PYTHON, else python3).
struct ZooExport {
  std::string name, format;      // pt, pt2
  std::string device = "cpu";    // what a .pt2 is compiled for
  std::filesystem::path out;     // empty: NAME.FORMAT in this folder
  std::int64_t batch_max = 256;  // of a .pt2
  std::int64_t classes = kZooClasses;
  std::string weights = {};  // torchvision's name of pretrained ones, such as DEFAULT; empty: random ones
};
std::filesystem::path export_zoo_model(const ZooExport&);

}  // namespace strobe

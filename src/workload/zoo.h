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

// Looks beside the program, then in STROBE_ZOO, then builds it with the interpreter of STROBE_PYTHON; else an Error
// that says which command to type.
std::filesystem::path zoo_path(std::string_view name);

}  // namespace strobe

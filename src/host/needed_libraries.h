// SPDX-License-Identifier: Apache-2.0
// Which shared libraries a library asks the dynamic linker for: the names in the file, without opening it. Whether they
// are found, and where, is not its affair.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strobe {

// In the order of the file: {"libcublas.so.12", "libc.so.6"}. Empty for what is not a shared library of this machine.
std::vector<std::string> needed_libraries(const std::filesystem::path& file);

}  // namespace strobe

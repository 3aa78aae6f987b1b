// SPDX-License-Identifier: Apache-2.0
// What kind of file a .pt or .pt2 is, told by what it holds and not by its name.
#pragma once

#include <string>

namespace strobe::torch_plugin {

enum class ArchiveKind { script, package };

// Throws Error with what to do where the file holds no program that can be run: weights alone, an exported program that
// was not compiled, no archive at all, one that is cut off.
ArchiveKind archive_kind(const std::string& path);

}  // namespace strobe::torch_plugin

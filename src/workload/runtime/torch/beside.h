// SPDX-License-Identifier: Apache-2.0
// Files of the plugin lie in one folder.
#pragma once

#include <dlfcn.h>
#include <filesystem>
#include <string>

namespace strobe::torch_plugin {

// The path of a file beside the library that this is compiled into.
inline std::string beside(const char* file) {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&beside), &info) || !info.dli_fname) return file;
  return (std::filesystem::path(info.dli_fname).parent_path() / file).string();
}

}  // namespace strobe::torch_plugin

// SPDX-License-Identifier: Apache-2.0
#include "host/library.h"

#include <dlfcn.h>
#include <link.h>

namespace strobe {

Library Library::open(const std::string& name, bool global) {
  Library lib;
  lib.handle_ = ::dlopen(name.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!lib.handle_) {
    const char* why = ::dlerror();
    lib.why_not_ = why ? why : "unknown reason";
  }
  return lib;
}

void* Library::symbol(const char* name) const {
  return handle_ ? ::dlsym(handle_, name) : nullptr;
}

std::filesystem::path Library::path() const {
  const link_map* map = nullptr;
  if (!handle_ || ::dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || !map) return {};
  return map->l_name;
}

std::filesystem::path library_folder() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&library_folder), &info) || !info.dli_fname) return {};
  std::error_code code;
  const auto path = std::filesystem::canonical(info.dli_fname, code);
  return code ? std::filesystem::path(info.dli_fname).parent_path() : path.parent_path();
}

}  // namespace strobe

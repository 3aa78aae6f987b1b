// SPDX-License-Identifier: Apache-2.0
#include "host/library.h"

#include <dlfcn.h>
#include <link.h>

namespace strobe {

Library Library::open_with(const std::string& name, int flags) {
  Library lib;
  lib.handle_ = ::dlopen(name.c_str(), flags);
  if (!lib.handle_) {
    const char* why = ::dlerror();
    lib.why_not_ = why ? why : "unknown reason";
  }
  return lib;
}

Library Library::open(const std::string& name, bool global) {
  return open_with(name, RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
}

Library Library::opened(const std::string& name, bool global) {
  return open_with(name, RTLD_NOW | RTLD_NOLOAD | (global ? RTLD_GLOBAL : RTLD_LOCAL));
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

// SPDX-License-Identifier: Apache-2.0
// A shared library opened at run time. Failing to open is ordinary here, so it gives a reason instead of an exception.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace strobe {

class Library {
 public:
  Library() = default;
  // Never unloaded: runtimes start threads and register handlers that outlive any owner we could name.
  static Library open(const std::string& name, bool global = false);
  // Only where somebody in this process has opened it; a name finds it wherever it was.
  static Library opened(const std::string& name, bool global = false);

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& why_not() const { return why_not_; }
  void* symbol(const char* name) const;  // null when absent
  std::filesystem::path path() const;    // of the file that was found

  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  static Library open_with(const std::string& name, int flags);

  void* handle_ = nullptr;
  std::string why_not_;
};

// Where this library (libstrobe.so) lies: everything that comes along is found relative to it.
std::filesystem::path library_folder();

}  // namespace strobe

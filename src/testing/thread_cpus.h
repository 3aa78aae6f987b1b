// SPDX-License-Identifier: Apache-2.0
// On which CPUs each thread of this process may run, as the kernel tells.
#pragma once

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "host/affinity.h"

namespace strobe::testing {

// ThreadSanitizer starts a thread of its own beside the first one that a program starts.
inline bool has_foreign_threads() {
  return ::dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
}

// By the kernel's number of the thread.
inline std::map<int, std::vector<int>> cpus_of_threads() {
  constexpr std::string_view kKey = "Cpus_allowed_list:";
  std::map<int, std::vector<int>> threads;
  std::error_code gone;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    std::ifstream in(task.path() / "status");
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with(kKey))
        threads[std::stoi(task.path().filename().string())] = parse_cpu_list(line.substr(kKey.size()));
    }
  }
  return threads;
}

}  // namespace strobe::testing

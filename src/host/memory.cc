// SPDX-License-Identifier: Apache-2.0
#include "host/memory.h"

#include <algorithm>
#include <fstream>
#include <string>

#include "host/facts.h"

namespace strobe {
namespace {

// "key value" in a file of the kernel's; 0 when it is not there.
std::uint64_t counter(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string word; in >> word;) {
    std::uint64_t value = 0;
    if (word == key && in >> value) return value;
    in.clear();
  }
  return 0;
}

}  // namespace

Bytes peak_memory() {
  return {counter("/proc/self/status", "VmHWM:") * 1024};
}

Bytes data_memory() {
  return {counter("/proc/self/status", "VmData:") * 1024};
}

MemoryLimit::MemoryLimit(Bytes more) {
  ::getrlimit(RLIMIT_DATA, &before_);
  rlimit limit = before_;
  limit.rlim_cur = std::min<rlim_t>(before_.rlim_cur, data_memory().count + more.count);
  ::setrlimit(RLIMIT_DATA, &limit);
}

MemoryLimit::~MemoryLimit() {
  ::setrlimit(RLIMIT_DATA, &before_);
}

std::uint64_t oom_kills() {
  return counter("/proc/vmstat", "oom_kill") + counter(cgroup_folder() + "/memory.events", "oom_kill");
}

void volunteer_for_the_oom_killer() {
  std::ofstream("/proc/self/oom_score_adj") << 1000;
}

}  // namespace strobe

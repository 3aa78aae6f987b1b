// SPDX-License-Identifier: Apache-2.0
#include "host/memory.h"

#include <algorithm>
#include <fstream>
#include <malloc.h>
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

std::optional<Bytes> cgroup_memory() {
  std::ifstream in(cgroup_folder() + "/memory.current");
  std::uint64_t bytes = 0;
  return in >> bytes ? std::optional(Bytes{bytes}) : std::nullopt;
}

// Of all mappings together. Kernels before 4.14, and some sandboxes, have no such file: then the counter of pages,
// which may lag behind by some of them.
ResidentMemory resident_memory() {
  const std::string file = "/proc/self/smaps_rollup";
  const std::uint64_t all = counter(file, "Rss:") * 1024;
  if (all == 0)
    return {{counter("/proc/self/status", "VmRSS:") * 1024}, {counter("/proc/self/status", "RssAnon:") * 1024}, {}};
  return {{all}, {counter(file, "Anonymous:") * 1024}, {counter(file, "AnonHugePages:") * 1024}};
}

Bytes heap_in_use() {
  const struct mallinfo2 heap = ::mallinfo2();
  return {heap.uordblks + heap.hblkhd};
}

Bytes heap_free() {
  return {::mallinfo2().fordblks};
}

// A write that the kernel does not take fails at the flush.
bool forget_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << 5 << std::flush);
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

// SPDX-License-Identifier: Apache-2.0
// Memory of this process as the kernel sees it.
#pragma once

#include <cstdint>
#include <sys/resource.h>

#include "base/units.h"

namespace strobe {

Bytes peak_memory();  // the most that was resident at once
Bytes data_memory();  // mapped for data of its own, touched or not: what RLIMIT_DATA limits

// While it lives, this process gets no more than so many bytes for data beyond what it has: it is told so, and the
// machine does not notice. A limit that is lower already stays.
class MemoryLimit {
 public:
  explicit MemoryLimit(Bytes more);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

// How often the kernel has ended a process of this machine or of our cgroup for want of memory.
std::uint64_t oom_kills();

// Should memory end all the same, this process is the one to go, not the user's desktop.
void volunteer_for_the_oom_killer();

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Memory of this process as the kernel sees it.
#pragma once

#include <cstdint>
#include <optional>
#include <sys/resource.h>

#include "base/units.h"

namespace strobe {

Bytes peak_memory();                   // the most that was resident at once
std::optional<Bytes> cgroup_memory();  // of all processes of our cgroup, now; none: it is not visible

// What is resident now, by walking the page tables: exact, and a millisecond for a gigabyte.
struct ResidentMemory {
  Bytes all;
  Bytes anonymous;  // heaps, stacks; the rest belongs to files: libraries, mapped models
  Bytes huge;       // of the anonymous, in huge pages
};
ResidentMemory resident_memory();

// Blocks that the C library has given out, in all its arenas, touched or not; 0 where another one takes its place.
Bytes heap_in_use();
Bytes heap_free();  // what it keeps of those that were given back

// From now on peak_memory() is the peak since now; false: this is not allowed here, and it stays that of the whole
// life.
bool forget_peak_memory();

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

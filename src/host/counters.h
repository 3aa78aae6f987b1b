// SPDX-License-Identifier: Apache-2.0
// What the operating system has done so far to this process and to the calling thread, as counters that only grow: two
// readings tell what happened between them. A reading takes some tens of microseconds, so it stands beside what is
// timed, never in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace strobe {

struct HostCounters {
  std::uint64_t loads = 0;               // of the process: shared libraries
  std::uint64_t major_faults = 0;        // of the process: pages that had to come from a disk
  std::uint64_t switches = 0;            // of the thread: how often it left its CPU
  std::uint64_t preemptions = 0;         // of these, against its will
  std::optional<nanoseconds> waited;     // of the thread: ready to run, but without a CPU
  std::optional<nanoseconds> throttled;  // of the cgroup: stopped by its CPU quota; summed over CPUs
};
HostCounters read_counters();

// Paths of the shared libraries that are loaded now.
std::vector<std::string> loaded_libraries();

// The time in a cgroup's cpu.stat: microseconds in version 2, nanoseconds in version 1.
std::optional<nanoseconds> parse_throttled(std::string_view cpu_stat);

// The second figure of /proc/thread-self/schedstat.
std::optional<nanoseconds> parse_waited(std::string_view schedstat);

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Which CPUs threads may run on: the one that measures, and those that watch it.
#pragma once

#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace strobe {

// "0-3,8" as the kernel writes lists of CPUs; what cannot be read is left out.
std::vector<int> parse_cpu_list(std::string_view text);

std::optional<int> current_cpu();        // that this thread runs on
std::optional<int> current_numa_node();  // of that CPU
std::optional<int> numa_node_of(int cpu);
std::vector<int> cpus_of_numa_node(int node);

// In order; empty where the system does not tell.
std::vector<int> cpus_of_this_thread();           // that it may run on now
std::vector<int> cpus_of_this_thread_unpinned();  // that it might run on before `pin_to`

// This thread, and those that it starts later, run on these CPUs alone, as far as they were allowed before it was first
// pinned. False: none of them was.
bool pin_to(const std::vector<int>& cpus);
// This thread may run where it might before it was pinned, unless somebody else has changed that meanwhile.
void unpin();

// While it lives, the thread that made it runs on these CPUs alone, as far as it might before `pin_to`. Its end, on the
// same thread, restores what it might run on before, unless somebody else has changed that meanwhile.
class Pin {
 public:
  explicit Pin(const std::vector<int>& cpus);
  ~Pin();
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;

  explicit operator bool() const { return !since_.empty(); }  // false: none of them is allowed, and nothing changed

 private:
  std::vector<int> before_, since_;
};

// A running thread goes to these CPUs. False: none of them exists. Not for a thread that may have ended: the system
// would take the caller for it.
bool keep_on(std::thread&, const std::vector<int>& cpus);

}  // namespace strobe

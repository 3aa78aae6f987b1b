// SPDX-License-Identifier: Apache-2.0
#include "host/affinity.h"

#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <string>
#include <unistd.h>

#include "base/parse.h"

namespace strobe {
namespace {

// Where this thread might run before it was pinned, and where since.
struct Pinned {
  cpu_set_t before, since;
};
thread_local std::optional<Pinned> pinned;

// Undone by somebody else, a pin is forgotten: what they want is what is allowed.
std::optional<cpu_set_t> allowed_unpinned() {
  cpu_set_t now;
  if (::sched_getaffinity(0, sizeof now, &now) != 0) return std::nullopt;
  return pinned && CPU_EQUAL(&now, &pinned->since) ? pinned->before : now;
}

}  // namespace

std::vector<int> parse_cpu_list(std::string_view text) {
  constexpr int kMost = 1 << 16;
  std::vector<int> cpus;
  for (const std::string_view part : split(trim(text), ',')) {
    const std::string range(part);
    char* end = nullptr;
    const long first = std::strtol(range.c_str(), &end, 10);
    if (end == range.c_str()) continue;
    const long last = *end == '-' ? std::strtol(end + 1, nullptr, 10) : first;
    for (long c = first; c >= 0 && c <= last && c < kMost; ++c) cpus.push_back(static_cast<int>(c));
  }
  return cpus;
}

std::optional<int> current_numa_node() {
  unsigned cpu = 0, node = 0;
  if (::getcpu(&cpu, &node) != 0) return std::nullopt;
  return static_cast<int>(node);
}

std::vector<int> cpus_of_numa_node(int node) {
  std::ifstream in("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
  std::string text;
  std::getline(in, text);
  return parse_cpu_list(text);
}

bool pin_to(const std::vector<int>& cpus) {
  const auto allowed = allowed_unpinned();
  if (!allowed) return false;
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (const int c : cpus) {
    if (c < CPU_SETSIZE && CPU_ISSET(c, &*allowed)) CPU_SET(c, &wanted);
  }
  if (CPU_COUNT(&wanted) == 0 || ::sched_setaffinity(0, sizeof wanted, &wanted) != 0) return false;
  pinned = {*allowed, wanted};
  return true;
}

void unpin() {
  if (!pinned) return;
  if (const auto allowed = allowed_unpinned()) ::sched_setaffinity(0, sizeof *allowed, &*allowed);
  pinned.reset();
}

}  // namespace strobe

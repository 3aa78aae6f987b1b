// SPDX-License-Identifier: Apache-2.0
#include "host/affinity.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <unistd.h>

#include "base/parse.h"

namespace strobe {
namespace {

cpu_set_t set_of(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int c : cpus) {
    if (c >= 0 && c < CPU_SETSIZE) CPU_SET(c, &set);
  }
  return set;
}

std::vector<int> list_of(const std::optional<cpu_set_t>& set) {
  std::vector<int> cpus;
  for (int c = 0; set && c < CPU_SETSIZE; ++c) {
    if (CPU_ISSET(c, &*set)) cpus.push_back(c);
  }
  return cpus;
}

std::optional<cpu_set_t> allowed_now() {
  cpu_set_t now;
  if (::sched_getaffinity(0, sizeof now, &now) != 0) return std::nullopt;
  return now;
}

bool allow(const cpu_set_t& set) {
  return CPU_COUNT(&set) > 0 && ::sched_setaffinity(0, sizeof set, &set) == 0;
}

// Where this thread might run before it was pinned, and where since.
struct Pinned {
  cpu_set_t before, since;
};
thread_local std::optional<Pinned> pinned;

// Undone by somebody else, a pin is forgotten: what they want is what is allowed.
std::optional<cpu_set_t> allowed_unpinned() {
  const auto now = allowed_now();
  return now && pinned && CPU_EQUAL(&*now, &pinned->since) ? pinned->before : now;
}

std::vector<int> cpus_in(const std::string& file) {
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  return parse_cpu_list(text);
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

std::optional<int> current_cpu() {
  const int cpu = ::sched_getcpu();
  return cpu < 0 ? std::nullopt : std::optional(cpu);
}

std::optional<int> current_numa_node() {
  unsigned cpu = 0, node = 0;
  if (::getcpu(&cpu, &node) != 0) return std::nullopt;
  return static_cast<int>(node);
}

std::vector<int> cpus_of_numa_node(int node) {
  return cpus_in("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
}

std::optional<int> numa_node_of(int cpu) {
  for (const int node : cpus_in("/sys/devices/system/node/online")) {
    const std::vector<int> cpus = cpus_of_numa_node(node);
    if (std::find(cpus.begin(), cpus.end(), cpu) != cpus.end()) return node;
  }
  return std::nullopt;
}

std::vector<int> cpus_of_this_thread() {
  return list_of(allowed_now());
}

std::vector<int> cpus_of_this_thread_unpinned() {
  return list_of(allowed_unpinned());
}

bool pin_to(const std::vector<int>& cpus) {
  const auto allowed = allowed_unpinned();
  if (!allowed) return false;
  cpu_set_t wanted = set_of(cpus);
  CPU_AND(&wanted, &wanted, &*allowed);
  if (!allow(wanted)) return false;
  pinned = {*allowed, wanted};
  return true;
}

void unpin() {
  if (!pinned) return;
  if (const auto allowed = allowed_unpinned()) allow(*allowed);
  pinned.reset();
}

Pin::Pin(const std::vector<int>& cpus) : before_(cpus_of_this_thread()) {
  const auto allowed = allowed_unpinned();
  if (!allowed) return;
  cpu_set_t wanted = set_of(cpus);
  CPU_AND(&wanted, &wanted, &*allowed);
  if (allow(wanted)) since_ = list_of(wanted);
}

Pin::~Pin() {
  if (!since_.empty() && cpus_of_this_thread() == since_) allow(set_of(before_));
}

bool keep_on(std::thread& thread, const std::vector<int>& cpus) {
  const cpu_set_t set = set_of(cpus);
  return CPU_COUNT(&set) > 0 && ::pthread_setaffinity_np(thread.native_handle(), sizeof set, &set) == 0;
}

}  // namespace strobe

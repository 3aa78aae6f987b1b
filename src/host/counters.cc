// SPDX-License-Identifier: Apache-2.0
#include "host/counters.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <link.h>
#include <sys/resource.h>

#include "base/parse.h"
#include "host/facts.h"

namespace strobe {
namespace {

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// dl_iterate_phdr counts what was ever loaded; the first entry says it, so the list need not be walked.
std::uint64_t count_loads() {
  std::uint64_t loads = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uint64_t*>(to) = info->dlpi_adds;
        return 1;
      },
      &loads);
  return loads;
}

std::uint64_t count(long n) {
  return n > 0 ? static_cast<std::uint64_t>(n) : 0;
}

}  // namespace

std::optional<nanoseconds> parse_throttled(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 2> kKeys{
      {{"throttled_usec ", 1000}, {"throttled_time ", 1}}};
  for (const auto& [key, unit] : kKeys) {
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos || (at > 0 && text[at - 1] != '\n')) continue;
    long long x = 0;
    if (std::sscanf(std::string(text.substr(at + key.size())).c_str(), "%lld", &x) == 1) return nanoseconds(x * unit);
  }
  return std::nullopt;
}

std::optional<nanoseconds> parse_waited(std::string_view text) {
  long long ran = 0, waited = 0;
  if (std::sscanf(std::string(text).c_str(), "%lld %lld", &ran, &waited) != 2) return std::nullopt;
  return nanoseconds(waited);
}

HostCounters read_counters() {
  HostCounters c;
  c.loads = count_loads();
  rusage process{}, thread{};
  if (::getrusage(RUSAGE_SELF, &process) == 0) c.major_faults = count(process.ru_majflt);
  if (::getrusage(RUSAGE_THREAD, &thread) == 0) {
    c.preemptions = count(thread.ru_nivcsw);
    c.switches = count(thread.ru_nivcsw) + count(thread.ru_nvcsw);
  }
  c.waited = parse_waited(contents("/proc/thread-self/schedstat"));
  c.throttled = parse_throttled(contents(cgroup_folder() + "/cpu.stat"));
  if (!c.throttled) c.throttled = parse_throttled(contents("/sys/fs/cgroup/cpu/cpu.stat"));
  return c;
}

std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

}  // namespace strobe

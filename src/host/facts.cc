#include "host/facts.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/parse.h"

namespace strobe {
namespace {

// The value behind "key<anything>:" in files like /proc/cpuinfo and /proc/meminfo.
std::optional<std::string> field(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || trim(std::string_view(line).substr(0, colon)) != key) continue;
    return std::string(trim(std::string_view(line).substr(colon + 1)));
  }
  return std::nullopt;
}

std::optional<std::string> first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line.empty()) return std::nullopt;
  return line;
}

std::optional<std::uint64_t> kibibytes(const char* key) {
  const auto text = field("/proc/meminfo", key);
  if (!text) return std::nullopt;
  return std::strtoull(text->c_str(), nullptr, 10) * 1024;
}

// The folder of this process's cgroup (version 2).
std::string cgroup_folder() {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  }
  return "/sys/fs/cgroup";
}

std::optional<std::uint64_t> number_in(const std::string& file) {
  const auto line = first_line(file);
  if (!line || !std::isdigit(static_cast<unsigned char>(line->front()))) return std::nullopt;   // "max" is no limit
  return std::strtoull(line->c_str(), nullptr, 10);
}

std::int64_t allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : ::sysconf(_SC_NPROCESSORS_ONLN);
}

template <class T>
void put(Scalars& facts, const char* key, const std::optional<T>& value) {
  if (value) facts[key] = *value;
}

}  // namespace

Scalars host_facts() {
  Scalars facts;
  utsname os{};
  if (::uname(&os) == 0) {
    facts["name"] = std::string(os.nodename);
    facts["kernel"] = fmt::format("{} {}", os.sysname, os.release);
    facts["machine"] = std::string(os.machine);
  }
  put(facts, "cpu", field("/proc/cpuinfo", "model name"));
  facts["cores"] = allowed_cpus();
  if (const auto total = kibibytes("MemTotal")) facts["memory_bytes"] = static_cast<std::int64_t>(*total);
  put(facts, "governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  put(facts, "load", first_line("/proc/loadavg"));
  return facts;
}

std::optional<Bytes> available_memory() {
  auto free = kibibytes("MemAvailable");
  const std::string folder = cgroup_folder();
  const auto limit = number_in(folder + "/memory.max"), used = number_in(folder + "/memory.current");
  if (limit && used) free = std::min(free.value_or(*limit), *limit > *used ? *limit - *used : 0);
  if (!free) return std::nullopt;
  return Bytes{*free};
}

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace strobe

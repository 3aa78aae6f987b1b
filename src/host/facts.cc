// SPDX-License-Identifier: Apache-2.0
#include "host/facts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <gnu/libc-version.h>
#include <sched.h>
#include <string>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/parse.h"
#include "host/caches.h"
#include "record/names.h"

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

std::optional<std::uint64_t> number_in(const std::string& file) {
  const auto line = first_line(file);
  if (!line || !std::isdigit(static_cast<unsigned char>(line->front()))) return std::nullopt;  // "max" is no limit
  return std::strtoull(line->c_str(), nullptr, 10);
}

std::optional<std::string> os_name() {
  std::ifstream in("/etc/os-release");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("PRETTY_NAME=")) continue;
    std::string name = line.substr(12);
    std::erase(name, '"');
    return name;
  }
  return std::nullopt;
}

// A guest's CPUs say so; who the host is stands in the firmware's tables.
std::optional<std::string> virtualisation() {
  const auto flags = field("/proc/cpuinfo", "flags");
  if (!flags || flags->find(" hypervisor") == std::string::npos) return std::nullopt;
  return first_line("/sys/class/dmi/id/product_name").value_or(kUnknownGuest);
}

std::optional<std::string> container() {
  std::error_code code;
  if (std::filesystem::exists("/.dockerenv", code)) return "docker";
  if (std::filesystem::exists("/run/.containerenv", code)) return "podman";
  std::ifstream in("/proc/1/environ", std::ios::binary);
  for (std::string entry; std::getline(in, entry, '\0');) {
    if (entry.starts_with("container=")) return entry.substr(10);
  }
  return std::nullopt;
}

// What steers runtimes, drivers and allocators from outside.
void put_environment(Scalars& facts) {
  constexpr std::array<std::string_view, 14> kPrefixes{
      "CUDA_", "CUBLAS_",   "CUDNN_", "GOMP_",    "KMP_",   "MALLOC_",    "MKL_", "NVIDIA_TF32_OVERRIDE=",
      "OMP_",  "OPENBLAS_", "ORT_",   "PYTORCH_", "TORCH_", "LD_PRELOAD="};
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    if (text.starts_with("ORT_DISABLE_TELEMETRY=")) continue;  // Strobe itself sets it, and it steers no measurement
    if (std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view p) { return text.starts_with(p); }))
      facts["env." + std::string(text.substr(0, equals))] = std::string(text.substr(equals + 1));
  }
}

template <class T>
void put(Scalars& facts, const char* key, const std::optional<T>& value) {
  if (value) facts[key] = *value;
}

// "always [madvise] never"
std::optional<std::string> chosen_word(const std::string& file) {
  const auto line = first_line(file);
  const std::size_t open = line ? line->find('[') : std::string::npos;
  if (open == std::string::npos) return std::nullopt;
  return line->substr(open + 1, line->find(']', open) - open - 1);
}

void put_bytes(Scalars& facts, const char* key, std::uint64_t bytes) {
  facts[key] = static_cast<std::int64_t>(bytes);
}

// What decides how this machine's memory behaves.
void put_memory(Scalars& facts) {
  const auto swap = kibibytes("SwapTotal"), free = kibibytes("SwapFree");
  if (swap && free && *swap > 0) {
    put_bytes(facts, "swap_bytes", *swap);
    put_bytes(facts, "swap_used_bytes", *swap - std::min(*swap, *free));
  }
  struct statvfs shared{};
  if (::statvfs("/dev/shm", &shared) == 0) put_bytes(facts, "shared_memory_bytes", shared.f_blocks * shared.f_frsize);
  put(facts, "huge_pages", chosen_word("/sys/kernel/mm/transparent_hugepage/enabled"));
}

}  // namespace

std::string cgroup_folder() {
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("0::")) return "/sys/fs/cgroup" + line.substr(3);
  }
  return "/sys/fs/cgroup";
}

std::optional<double> parse_cpu_max(std::string_view text) {
  double quota = 0, period = 0;
  if (std::sscanf(std::string(text).c_str(), "%lf %lf", &quota, &period) != 2 || quota <= 0 || period <= 0)
    return std::nullopt;  // "max 100000"
  return quota / period;
}

std::int64_t allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : ::sysconf(_SC_NPROCESSORS_ONLN);
}

Scalars host_facts() {
  Scalars facts;
  utsname os{};
  if (::uname(&os) == 0) {
    facts["name"] = std::string(os.nodename);
    facts["kernel"] = fmt::format("{} {}", os.sysname, os.release);
    facts["machine"] = std::string(os.machine);
  }
  put(facts, "os", os_name());
  facts["libc"] = fmt::format("glibc {}", ::gnu_get_libc_version());
  put(facts, "cpu", field("/proc/cpuinfo", "model name"));
  facts["cores"] = allowed_cpus();
  if (const auto cache = last_level_cache()) facts["cache_bytes"] = static_cast<std::int64_t>(cache->count);
  if (const auto total = kibibytes("MemTotal")) facts["memory_bytes"] = static_cast<std::int64_t>(*total);
  put_memory(facts);
  put(facts, "governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  if (const auto mhz = field("/proc/cpuinfo", "cpu MHz")) facts["mhz"] = std::strtod(mhz->c_str(), nullptr);
  if (const auto load = first_line("/proc/loadavg")) facts["load"] = std::strtod(load->c_str(), nullptr);
  if (const auto smt = first_line("/sys/devices/system/cpu/smt/active")) facts["smt"] = *smt == "1";
  put(facts, "virtualisation", virtualisation());
  put(facts, "container", container());
  const std::string group = cgroup_folder();
  if (const auto max = first_line(group + "/cpu.max")) put(facts, "cgroup_cpus", parse_cpu_max(*max));
  if (const auto limit = number_in(group + "/memory.max"))
    facts["cgroup_memory_bytes"] = static_cast<std::int64_t>(*limit);
  put_environment(facts);
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

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "host/caches.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "host/affinity.h"

namespace strobe {
namespace {

std::string line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// "32768K"
std::uint64_t size_in(const std::string& text) {
  char* end = nullptr;
  const std::uint64_t n = std::strtoull(text.c_str(), &end, 10);
  return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

struct Cache {
  long level = 0;
  std::uint64_t bytes = 0;
  std::string shared_by;  // the CPUs, as the kernel lists them
};

// Of the highest level, as far as it holds data.
Cache last_cache_of(const std::string& folder, int cpu) {
  Cache last;
  for (int index = 0;; ++index) {
    const std::string cache = fmt::format("{}/cpu{}/cache/index{}", folder, cpu, index);
    const std::string level = line_of(cache + "/level");
    if (level.empty()) return last;
    const long n = std::strtol(level.c_str(), nullptr, 10);
    if (n <= last.level || line_of(cache + "/type") == "Instruction") continue;
    last = {n, size_in(line_of(cache + "/size")), line_of(cache + "/shared_cpu_list")};
  }
}

}  // namespace

std::optional<Bytes> last_level_cache(const std::string& folder, std::span<const int> cpus) {
  std::map<std::string, std::uint64_t> caches;  // each once, however many CPUs share it
  for (const int cpu : cpus) {
    const Cache cache = last_cache_of(folder, cpu);
    if (cache.bytes > 0) caches[cache.shared_by] = cache.bytes;
  }
  Bytes all;
  for (const auto& [shared_by, bytes] : caches) all.count += bytes;
  return all.count > 0 ? std::optional(all) : std::nullopt;
}

std::optional<Bytes> last_level_cache() {
  return last_level_cache("/sys/devices/system/cpu", cpus_of_this_thread());
}

}  // namespace strobe

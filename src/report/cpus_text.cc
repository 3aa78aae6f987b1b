// SPDX-License-Identifier: Apache-2.0
#include "report/cpus_text.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/format.h"

namespace strobe {
namespace {

constexpr std::size_t kMostNamed = 8;  // a line has room for so many

std::string cpu_names(const std::set<std::int64_t>& cpus) {
  if (cpus.size() == 1) return fmt::format("CPU {}", *cpus.begin());
  const std::string number = fmt::format("{} CPUs", cpus.size());
  return cpus.size() > kMostNamed ? number : fmt::format("{} ({})", number, fmt::join(cpus, ", "));
}

std::string pinned_text(const std::vector<std::int64_t>& pinned) {
  const std::set<std::int64_t> distinct(pinned.begin(), pinned.end());
  if (distinct.size() == 1) return fmt::format("pinned to CPU {}", pinned.front());
  return fmt::format("pinned to one CPU in each launch: {}", fmt::join(pinned, ", "));
}

}  // namespace

std::string cpus_text(const CpuObservation& c) {
  std::set<std::int64_t> all;
  for (const auto& [metric, cpus] : c.passes) all.insert(cpus.begin(), cpus.end());
  if (!c.pinned.empty()) return pinned_text(c.pinned);
  return fmt::format("not pinned: measured on {}, moved {}", cpu_names(all), counted(c.moves, "time", "times"));
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "host/rapl.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <strobe/error.h>

#include "base/format.h"

namespace strobe {
namespace {

namespace fs = std::filesystem;

std::string zone_name(const fs::path& zone) {
  std::ifstream in(zone / "name");
  std::string name;
  std::getline(in, name);
  return name;
}

std::optional<std::uint64_t> microjoules_in(const fs::path& file) {
  std::ifstream in(file);
  std::uint64_t n = 0;
  return in >> n ? std::optional(n) : std::nullopt;
}

// intel-rapl:0 is a package, intel-rapl:0:1 a part of it. The same packages are there again by another way to read them
// (intel-rapl-mmio:0), and a whole platform (psys) contains them.
bool is_counted(const fs::path& zone, bool& dram) {
  constexpr std::string_view kPrefix = "intel-rapl:";
  if (!zone.filename().string().starts_with(kPrefix)) return false;
  const std::string name = zone_name(zone);
  dram = name == "dram";
  return dram || name.starts_with("package");
}

std::string why_unreadable(const fs::path& file) {
  errno = 0;
  std::ifstream in(file);
  if (in) return fmt::format("{} cannot be read", file.string());
  const int error = errno;
  if (error == EACCES || error == EPERM) return fmt::format("only root may read {}", file.string());
  return fmt::format("{}: {}", file.string(), std::strerror(error));
}

}  // namespace

std::optional<Rapl> Rapl::open(const std::string& folder, std::string& why_not) {
  std::error_code ignored;
  std::vector<fs::path> zones;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) zones.push_back(entry.path());
  std::sort(zones.begin(), zones.end());
  Rapl rapl;
  for (const fs::path& zone : zones) {
    Domain d{.file = (zone / "energy_uj").string()};
    if (!is_counted(zone, d.dram)) continue;
    const auto now = microjoules_in(d.file);
    if (!now) {
      why_not = why_unreadable(d.file);
      return std::nullopt;  // a part of the energy would pass for all of it
    }
    d.last = *now;
    d.range = microjoules_in(zone / "max_energy_range_uj").value_or(0);
    rapl.domains_.push_back(std::move(d));
  }
  if (!rapl.domains_.empty()) return rapl;
  why_not =
      fmt::format("the kernel counts no energy here ({} has no intel-rapl): so it is in most virtual machines", folder);
  return std::nullopt;
}

double Rapl::joules() {
  for (Domain& d : domains_) {
    const auto now = microjoules_in(d.file);
    if (!now) throw Error(ErrorCode::failed, "cannot read the CPU's energy", why_unreadable(d.file));
    const bool wrapped = *now < d.last;
    microjoules_ += static_cast<double>(wrapped ? *now + d.range - d.last : *now - d.last);
    d.last = *now;
  }
  return microjoules_ * 1e-6;
}

std::string Rapl::scope() const {
  const auto dram =
      static_cast<std::size_t>(std::count_if(domains_.begin(), domains_.end(), [](const Domain& d) { return d.dram; }));
  const std::string packages = counted(domains_.size() - dram, "CPU package", "CPU packages");
  return dram > 0 ? packages + " and their memory" : packages + ", without the memory";
}

}  // namespace strobe

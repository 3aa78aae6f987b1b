// SPDX-License-Identifier: Apache-2.0
// Energy of the CPUs and their memory, as the kernel counts it (RAPL, /sys/class/powercap): packages and dram, of which
// the cores and the graphics unit are parts. Virtual machines have none, and most systems let only root read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strobe {

class Rapl {
 public:
  // Of a folder like /sys/class/powercap. None, and why, where nothing can be read.
  static std::optional<Rapl> open(const std::string& folder, std::string& why_not);
  static std::optional<Rapl> open(std::string& why_not) { return open("/sys/class/powercap", why_not); }

  // Since this was opened. Counters wrap, at 200 W about every twenty minutes: more than once between two readings
  // would be missed. Throws Error (failed).
  double joules();
  // "2 packages and their memory"
  std::string scope() const;

 private:
  struct Domain {
    std::string file;                   // energy_uj
    std::uint64_t range = 0, last = 0;  // where it wraps; the last reading
    bool dram = false;
  };

  std::vector<Domain> domains_;
  double microjoules_ = 0;
};

}  // namespace strobe

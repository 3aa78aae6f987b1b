// SPDX-License-Identifier: Apache-2.0
#include "host/cpu_clock.h"

#include <fstream>
#include <sched.h>

#include <fmt/format.h>

namespace strobe {

std::optional<double> cpu_mhz(const std::string& cpus) {
  const int cpu = ::sched_getcpu();
  if (cpu < 0) return std::nullopt;
  std::ifstream in(fmt::format("{}/cpu{}/cpufreq/scaling_cur_freq", cpus, cpu));
  double khz = 0;
  return in >> khz && khz > 0 ? std::optional(khz / 1000) : std::nullopt;
}

}  // namespace strobe

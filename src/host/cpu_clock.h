// SPDX-License-Identifier: Apache-2.0
// How fast the CPU runs that this thread is on.
#pragma once

#include <optional>
#include <string>

namespace strobe {

// In MHz, as the kernel last saw it; none where it does not tell, as in most guests. `cpus`: the folder with one folder
// for each CPU.
std::optional<double> cpu_mhz(const std::string& cpus = "/sys/devices/system/cpu");

}  // namespace strobe

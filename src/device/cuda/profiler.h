// SPDX-License-Identifier: Apache-2.0
// Is a profiler or debugger attached to this process? Then every launch costs more and a gate may hang. A loaded
// libcupti is no sign: torch always loads it.
#pragma once

#include <string>
#include <string_view>

namespace strobe::cuda {

// What was noticed, or empty.
std::string attached_profiler();

// The parts, for tests: names in /proc/self/maps, and the tracer in /proc/self/status.
std::string profiler_in_maps(std::string_view maps);
int tracer_in_status(std::string_view status);

}  // namespace strobe::cuda

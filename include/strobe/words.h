// SPDX-License-Identifier: Apache-2.0
// Values of options as text, in the words and forms of the command line: for programs and bindings that are told them
// so. `what` is what a complaint calls the value; it is an Error (usage) that shows the form expected.
#pragma once

#include <chrono>
#include <string_view>

#include <strobe/measure.h>

namespace strobe {

std::chrono::nanoseconds parse_time(std::string_view text, std::string_view what);  // "10ms", "1.5 s", "2min"
IdlePause parse_pause(std::string_view text, std::string_view what);  // the same, or "poisson:1s": random, of this mean
Effort parse_effort(std::string_view word, std::string_view what);    // "quick"
Cache parse_cache(std::string_view word, std::string_view what);      // "cold"
Io parse_io(std::string_view word, std::string_view what);            // "runtime"
Copies parse_copies(std::string_view word, std::string_view what);    // "overlapped"

}  // namespace strobe

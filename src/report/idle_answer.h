// SPDX-License-Identifier: Apache-2.0
// What requests after pauses take, as every report shows it.
#pragma once

#include <string>
#include <vector>

#include <strobe/record.h>

#include "base/format.h"

namespace strobe {

struct IdleLine {
  std::string label;    // "after 10 ms idle"
  std::string unknown;  // not empty: there is no latency, and this is why
  Figure latency = {};
  std::string difference = {};   // "+38 %", from the latency without a pause
  std::string percentiles = {};  // those that there are enough requests for
  std::string requests = {};     // "25 requests"
  std::string power = {};        // "P8 → P0, 345 → 1980 MHz"; empty where nobody tells
};
std::vector<IdleLine> idle_lines(const Record&);

// What the lines mean, for --explain and captions.
inline constexpr const char* kIdleDefinition =
    "Latency of single requests that begin after such a pause, in which the host sleeps and the device has nothing to "
    "do; on the right how far that is from the latency without pauses.";

}  // namespace strobe

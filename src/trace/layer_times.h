// SPDX-License-Identifier: Apache-2.0
// How much of a request each of its layers has for itself. Every instant belongs to one layer, to work of no layer, or
// to nobody, so that the parts add up to the request, to the nanosecond.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace strobe::trace {

struct LayerTime {
  std::string name, type, where;
  std::uint64_t calls = 0, kernels = 0;
  nanoseconds time{};
};

struct LayerTimes {
  std::vector<LayerTime> layers;  // in the order in which they were first called
  nanoseconds unattributed{};     // work of no layer
  nanoseconds gaps{};             // neither
};

// Work is done when a layer returns: a layer takes what lies within its call and within no call inside it.
LayerTimes layer_times_on_host(const RequestTrace&);

// Work is handed over: a layer takes as long as the device works on what was handed over within its call. Where kernels
// overlap, the time is that of the one that began first.
LayerTimes layer_times_on_device(const RequestTrace&);

}  // namespace strobe::trace

// SPDX-License-Identifier: Apache-2.0
// How much longer a tracer says that a kernel ran than the kernel's own clock does. A tracer's time of a kernel
// includes what the tracer itself does around it: what is smaller than this, times the number of kernels, it cannot
// tell.
#pragma once

#include <optional>

#include "device/device.h"

namespace strobe {

// Nanoseconds a kernel: the median over kernels of 1, 5 and 20 µs. None: the device has no kernel of known length, or
// the tracer lost one of these. Takes what the tracer has recorded so far.
std::optional<double> trace_excess(Device&, Tracer&);

}  // namespace strobe

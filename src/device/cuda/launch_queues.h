// SPDX-License-Identifier: Apache-2.0
// How many kernel launches the driver lets a process queue ahead: about 1,000 by default, four times that on request. A
// model of thousands of kernels has a device time only where all of them can be queued before the device starts.
#pragma once

#include <string>

namespace strobe::cuda {

// Asks for the deepest queues, before the driver starts; processes that this one starts inherit it. A value that the
// user has set stands. Not on Tegra, where programs were reported to hang with it.
void deepen_launch_queues();

// CUDA_SCALE_LAUNCH_QUEUES as it is set; empty: the driver's default.
std::string launch_queues();

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// What marks, launches, waits and graphs cost on this GPU, by measuring them: figures of one machine are folklore on
// the next.
#pragma once

#include "device/cuda/cuda_device.h"

namespace strobe::cuda {

// Every key is in docs/records.md. A thorough one adds what takes longer: graphs of 1, 100 and 1,000 nodes, a call of
// NVML, how many kernel launches a closed gate leaves room for, a flush of the cache and its effect, and what copies
// reach at their best. What needs a gate is left out where none is possible.
Calibration calibrate(CudaDevice&, Depth);

// Kernel launches that a stream accepts behind a closed gate. Takes as long as the watchdog waits.
std::uint64_t measure_queue_depth(CudaDevice&);

}  // namespace strobe::cuda

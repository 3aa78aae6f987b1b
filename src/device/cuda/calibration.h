// What marks, launches, waits and graphs cost on this GPU, by measuring them: figures of one machine are folklore on
// the next.
#pragma once

#include <map>
#include <string>

#include "device/cuda/cuda_device.h"

namespace strobe::cuda {

// Every key is in docs/records.md. `thorough` adds what takes longer: graphs of 1, 100 and 1,000 nodes, a call of NVML,
// how many launches a closed gate leaves room for, a flush of the cache and its effect, and what copies reach at their
// best. What needs a gate is left out where none is possible.
std::map<std::string, double, std::less<>> calibrate(CudaDevice&, bool thorough);

}  // namespace strobe::cuda

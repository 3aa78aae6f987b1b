// What marks, launches, waits and graphs cost on this GPU, by measuring them: figures of one machine are folklore on
// the next.
#pragma once

#include <map>
#include <string>

#include "device/cuda/cuda_device.h"

namespace strobe::cuda {

// launch_ns (host, empty kernel), kernel_pair_ns (marks around an empty kernel, queued), kernel_pair_idle_ns (the same
// on an idle stream), sync_after_work_ns, graph_launch_ns, timer_step_ns. `thorough` adds what takes longer:
// queue_depth (launches accepted behind a closed gate), flush_ns, and in GB/s what copies reach at their best:
// copy_gbps within the device (read and written), copy_in_gbps and copy_out_gbps between it and pinned memory of the
// host.
std::map<std::string, double, std::less<>> calibrate(CudaDevice&, bool thorough);

}  // namespace strobe::cuda

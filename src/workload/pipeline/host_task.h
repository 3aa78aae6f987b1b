// SPDX-License-Identifier: Apache-2.0
// Work on the host that a pipeline may contain: fill a tensor, wait, copy memory, call a function of a library. Memory
// is allocated before anything is timed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "device/device.h"
#include "workload/pipeline/pipeline_plan.h"

namespace strobe {

struct HostTask {
  std::function<void()> run;
  std::string about;
  std::span<const std::byte> memory = {};  // what `run` writes, as long as it exists
};

// Each throws Error when it cannot be had. On a simulated device only `spin` and `sleep` exist: nothing else takes time
// on its clock.
HostTask make_host_task(const RandnTask&, Device&);
HostTask make_host_task(const SpinTask&, Device&);
HostTask make_host_task(const SleepTask&, Device&);
HostTask make_host_task(const MemcpyTask&, Device&);
HostTask make_host_task(const FunctionTask&, Device&);

}  // namespace strobe

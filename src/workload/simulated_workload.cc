// SPDX-License-Identifier: Apache-2.0
#include "workload/simulated_workload.h"

namespace strobe {
SimulatedWorkload::SimulatedWorkload(SimulatedDevice& device, bool graph, StreamLevel level)
    : device_(device), stream_(device, level), other_(device), disturbance_(device.parameters()), graph_(graph) {
  for (const KernelRun& run : device.parameters().kernels) kernels_.insert(kernels_.end(), run.count, run.length);
  scaled_.resize(kernels_.size());
}

void SimulatedWorkload::submit(std::size_t) {
  const SimParameters& p = device_.parameters();
  const auto [host, work] = disturbance_.next(device_.clock().now());
  if (std::exchange(first_, false)) device_.virtual_clock().advance(p.first);
  const nanoseconds launch = scale(p.kernel_launch, host);
  if (p.escape > 0ns) other_.launch_kernel(launch, scale(p.escape, work));
  if (p.leak > 0ns) other_.launch_kernel(launch, scale(p.leak, work));
  if (graph_) {
    for (std::size_t i = 0; i < kernels_.size(); ++i) scaled_[i] = scale(kernels_[i], work);
    stream_.launch_graph(launch, scaled_);
    return;
  }
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (p.hidden_sync && i == kernels_.size() / 2) stream_.synchronize();
    stream_.launch_kernel(launch, scale(kernels_[i], work));
  }
  if (p.leak > 0ns) stream_.after(other_, other_.mark());
}

// A byte takes a nanosecond, from pinned memory and from pageable; but the host waits for the latter.
std::size_t SimulatedWorkload::copy(Stream& on, nanoseconds t, HostMemory memory) {
  if (t == 0ns) return 0;
  dynamic_cast<SimulatedStream&>(on).transfer(t);
  if (memory == HostMemory::pageable) on.synchronize();
  return static_cast<std::size_t>(t.count());
}

Replay SimulatedWorkload::replay() {
  if (device_.parameters().hidden_sync) return {nullptr, "the workload synchronises, which a capture does not allow"};
  if (device_.parameters().leak > 0ns)
    return {nullptr, "a stream of the workload does not wait for the captured one, which a capture does not allow"};
  return {std::make_unique<SimulatedWorkload>(device_, true), {}};
}

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
#include "workload/pipeline/stage_work.h"

#include <cstring>

#include <fmt/format.h>

#include <strobe/error.h>

namespace strobe {

CopyWork::CopyWork(const CopyTask& task, Device& device, Stream& stream, std::size_t in_flight)
    : stream_(stream), in_(task.direction == CopyTask::Direction::in) {
  for (std::size_t i = 0; i < in_flight; ++i) {
    Buffers& b = buffers_.emplace_back();
    b.device = device.buffer(task.bytes.count, Place::device);
    b.host = device.buffer(task.bytes.count, task.pinned ? Place::pinned : Place::pageable);
    std::memset(b.host.bytes().data(), 1, task.bytes.count);  // its pages are there before anything is timed
  }
}

void CopyWork::submit(std::size_t request) {
  Buffers& b = buffers_[request % buffers_.size()];
  if (in_)
    stream_.copy(b.device.bytes(), b.host.bytes());
  else
    stream_.copy(b.host.bytes(), b.device.bytes());
}

SimulatedCopy::SimulatedCopy(const CopyTask& task, SimulatedDevice& device, SimulatedStream& stream)
    : stream_(stream), pinned_(task.pinned) {
  const bool in = task.direction == CopyTask::Direction::in;
  length_ = in ? device.parameters().copy_in : device.parameters().copy_out;
  if (length_ == 0ns)
    throw Error(ErrorCode::usage, "cannot copy on this simulated device",
                fmt::format("its copy_{} takes no time", in ? "in" : "out"),
                fmt::format("Add copy_{}=100us to the device, for example.", in ? "in" : "out"));
}

void SimulatedCopy::submit(std::size_t) {
  stream_.transfer(length_);
  if (!pinned_) stream_.synchronize();
}

SimulatedKernels::SimulatedKernels(const SimulatedTask& task, SimulatedDevice& device, SimulatedStream& stream)
    : device_(device),
      stream_(stream),
      disturbance_(device.parameters()),
      launch_(task.own_kernel_launch ? task.work.kernel_launch : device.parameters().kernel_launch),
      hidden_sync_(task.work.hidden_sync) {
  for (const KernelRun& run : task.work.kernels) kernels_.insert(kernels_.end(), run.count, run.length);
}

void SimulatedKernels::submit(std::size_t) {
  const auto [host, work] = disturbance_.next(device_.clock().now());
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    if (hidden_sync_ && i == kernels_.size() / 2) stream_.synchronize();
    stream_.launch_kernel(scale(launch_, host), scale(kernels_[i], work));
  }
}

}  // namespace strobe

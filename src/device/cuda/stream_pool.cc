// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/stream_pool.h"

#include <algorithm>

#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_stream.h"
#include "stats/middle.h"

namespace strobe::cuda {
namespace {

constexpr std::size_t kGroup = 20;      // on an H200 about as many share a level …
constexpr std::size_t kMostGroups = 3;  // … and the next draw theirs anew
constexpr std::size_t kKernels = 100;   // fit into the queue behind a gate
constexpr std::size_t kProbes = 3;

double probe_once(CudaDevice& device, CudaStream& stream) {
  stream.synchronize();
  Gate gate = device.hold(stream, {});
  const Mark begin = stream.mark();
  for (std::size_t i = 0; i < kKernels; ++i) device.kernels().empty(static_cast<CUstream>(stream.native()));
  const Mark end = stream.mark();
  gate.open();
  stream.wait(end);
  return to_double(stream.between(begin, end)) / static_cast<double>(kKernels);
}

}  // namespace

double kernel_pause(CudaDevice& device, CUstream native) {
  CudaStream stream(device, native, false);
  stream.reserve(2);
  std::vector<double> pauses;
  for (std::size_t i = 0; i < kProbes; ++i) pauses.push_back(probe_once(device, stream));
  return stats::middle_of(std::move(pauses));
}

StreamPool::~StreamPool() {
  for (const Known& k : free_) device_.driver().stream_destroy(k.stream);
}

void StreamPool::add_group() {
  const std::size_t before = free_.size();
  for (std::size_t i = 0; i < kGroup; ++i) {
    CUstream native = nullptr;
    check(device_.driver(), device_.driver().stream_create(&native, CU_STREAM_NON_BLOCKING), "cannot create a stream");
    free_.push_back({native, 0});
  }
  std::vector<double> pauses = levels_.pauses_ns;
  if (before == 0) kernel_pause(device_, free_.front().stream);  // the first kernels of a process take longer
  for (std::size_t i = before; i < free_.size(); ++i) {
    free_[i].pause_ns = kernel_pause(device_, free_[i].stream);
    pauses.push_back(free_[i].pause_ns);
  }
  levels_ = stream_levels_of(std::move(pauses));
}

const StreamLevels& StreamPool::levels() {
  if (probed_ || !device_.can().gate) return levels_;
  probed_ = true;
  for (std::size_t i = 0; i < kMostGroups && !levels_.border_ns; ++i) add_group();
  return levels_;
}

CUstream StreamPool::take(StreamLevel level) {
  levels();
  if (level != StreamLevel::any && !levels_.border_ns) return nullptr;
  const auto find = [&] {
    return std::find_if(free_.begin(), free_.end(), [&](const Known& k) {
      return level == StreamLevel::any || levels_.level_of(k.pause_ns) == level;
    });
  };
  auto it = find();
  for (std::size_t i = 0; i < kMostGroups && it == free_.end() && levels_.border_ns; ++i) {
    add_group();
    it = find();
  }
  if (it == free_.end()) return nullptr;
  const CUstream taken = it->stream;
  free_.erase(it);
  return taken;
}

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/stream_pool.h"

#include <algorithm>

#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_stream.h"
#include "stats/middle.h"

namespace strobe::cuda {
namespace {

constexpr std::size_t kStreams = 20;   // on an H200 the first 15 share a level, the next 5 draw theirs anew
constexpr std::size_t kKernels = 100;  // fit into the queue behind a gate
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

const StreamLevels& StreamPool::levels() {
  if (probed_ || !device_.can().gate) return levels_;
  probed_ = true;
  for (std::size_t i = 0; i < kStreams; ++i) {
    CUstream native = nullptr;
    check(device_.driver(), device_.driver().stream_create(&native, CU_STREAM_NON_BLOCKING), "cannot create a stream");
    free_.push_back({native, 0});
  }
  kernel_pause(device_, free_.front().stream);  // the first is slow to start
  std::vector<double> pauses;
  for (Known& k : free_) {
    k.pause_ns = kernel_pause(device_, k.stream);
    pauses.push_back(k.pause_ns);
  }
  levels_ = stream_levels_of(std::move(pauses));
  return levels_;
}

CUstream StreamPool::take(StreamLevel level) {
  levels();
  if (level != StreamLevel::any && !levels_.border_ns) return nullptr;
  const auto it = std::find_if(free_.begin(), free_.end(), [&](const Known& k) {
    return level == StreamLevel::any || (k.pause_ns > *levels_.border_ns) == (level == StreamLevel::slow);
  });
  if (it == free_.end()) return nullptr;
  const CUstream taken = it->stream;
  free_.erase(it);
  return taken;
}

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
#include "workload/runtime/torch/cuda_graphs.h"

#include <ATen/cuda/CUDAGraph.h>

#include "base/build_info.h"

namespace strobe::torch_plugin {
namespace {

// Torch's graph, and a way out of a capture that failed: capture_end gives up as soon as the driver says that the
// capture is void, and leaves its allocator recording for a graph that will never be.
class Graph final : public at::cuda::CUDAGraph {
 public:
  void abandon() noexcept {
    try {
      capture_end();
      return;
    } catch (...) {  // expected; by now the stream is no longer capturing
    }
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(capture_dev_, mempool_id_);  // throws if that was done already
      c10::cuda::CUDACachingAllocator::releasePool(capture_dev_, mempool_id_);
    } catch (...) {
    }
  }
};

class TorchGraph final : public CapturedGraph {
 public:
  explicit TorchGraph(const std::function<void()>& work) {
    // Thread-local: other threads of ours (telemetry) go on calling the driver.
    graph_.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
      graph_.capture_end();
    } catch (...) {
      graph_.abandon();
      throw;
    }
  }

  void replay() override { graph_.replay(); }

 private:
  Graph graph_;
};

}  // namespace
}  // namespace strobe::torch_plugin

extern "C" const strobe::torch_plugin::CudaGraphs* strobe_torch_cuda() {
  using namespace strobe::torch_plugin;
  static const CudaGraphs graphs{strobe::kBuildId,
                                 [](const std::function<void()>& work) -> std::unique_ptr<CapturedGraph> {
                                   return std::make_unique<TorchGraph>(work);
                                 }};
  return &graphs;
}

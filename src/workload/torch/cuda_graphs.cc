#include "workload/torch/cuda_graphs.h"

#include <ATen/cuda/CUDAGraph.h>
#include <vector>

#include "base/build_info.h"

namespace strobe::torch_plugin {
namespace {

// Torch's graph, and a way out of a capture that failed: capture_end gives up as soon as the driver says that the
// capture is void, and leaves its allocator recording for a graph that will never be.
class Graph final : public at::cuda::CUDAGraph {
 public:
  Graph() : CUDAGraph(/*keep_graph=*/true) {}  // until its nodes are counted

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

std::optional<std::uint64_t> count_kernels(cudaGraph_t graph) {
  std::size_t n = 0;
  if (cudaGraphGetNodes(graph, nullptr, &n) != cudaSuccess) return std::nullopt;
  std::vector<cudaGraphNode_t> nodes(n);
  if (n > 0 && cudaGraphGetNodes(graph, nodes.data(), &n) != cudaSuccess) return std::nullopt;
  std::uint64_t kernels = 0;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    if (cudaGraphNodeGetType(node, &type) != cudaSuccess) return std::nullopt;
    kernels += type == cudaGraphNodeTypeKernel;
  }
  return kernels;
}

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
    kernels_ = count_kernels(graph_.raw_cuda_graph());
    graph_.instantiate();
  }

  void replay() override { graph_.replay(); }
  std::optional<std::uint64_t> kernels() const override { return kernels_; }

 private:
  Graph graph_;
  std::optional<std::uint64_t> kernels_;
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

#include "workload/torch/cuda_graphs.h"

#include <ATen/cuda/CUDAGraph.h>

#include "base/build_info.h"

namespace strobe::torch_plugin {
namespace {

class TorchGraph final : public CapturedGraph {
 public:
  explicit TorchGraph(const std::function<void()>& work) {
    // Thread-local: other threads of ours (telemetry) go on calling the driver.
    graph_.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      try {
        graph_.capture_end();  // takes the stream out of capturing even where it reports that the capture is void
      } catch (...) {
      }
      throw;
    }
    graph_.capture_end();
  }

  void replay() override { graph_.replay(); }

 private:
  at::cuda::CUDAGraph graph_;
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

// SPDX-License-Identifier: Apache-2.0
// Torch's own graph class behind a table of functions: it needs libtorch_cuda at link time, which the sessions must
// not, so it lives in a library of its own (strobe_torch_cuda.so) that is opened when a graph is asked for.
#pragma once

#include <functional>
#include <memory>

namespace strobe::torch_plugin {

class CapturedGraph {
 public:
  virtual ~CapturedGraph() = default;
  virtual void replay() = 0;  // on the thread's current stream
};

// What strobe_torch_cuda.so exports as `extern "C" const CudaGraphs* strobe_torch_cuda()`.
struct CudaGraphs {
  const char* build_id;
  // Captures what `work` queues on the thread's current stream. Throws what torch throws; the stream is then no longer
  // capturing.
  std::unique_ptr<CapturedGraph> (*capture)(const std::function<void()>& work);
};

}  // namespace strobe::torch_plugin

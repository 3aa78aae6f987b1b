#include "device/cuda/graph.h"

#include <fmt/format.h>

namespace strobe::cuda {

Graph::~Graph() {
  if (exec_) driver_->graph_exec_destroy(exec_);
}

void Graph::launch(CUstream stream) const {
  check(*driver_, driver_->graph_launch(exec_, stream), "cannot launch a graph");
}

Graph capture(const Driver& driver, CUstream stream, const std::function<void()>& work, std::string& why_not) {
  check(driver, driver.stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cannot begin a capture");
  try {
    work();
  } catch (const Error& e) {
    why_not = e.what();
  }
  // Ended in any case: a stream left in capture mode refuses everything else.
  CUgraph graph = nullptr;
  const CUresult ended = driver.stream_end_capture(stream, &graph);
  if (why_not.empty() && ended != CUDA_SUCCESS)
    why_not = fmt::format("the capture was not accepted: {}", describe(driver, ended));
  if (why_not.empty() && !graph) why_not = "nothing was captured";
  CUgraphExec exec = nullptr;
  if (why_not.empty()) {
    if (const CUresult r = driver.graph_instantiate(&exec, graph, 0); r != CUDA_SUCCESS)
      why_not = fmt::format("the graph cannot be made: {}", describe(driver, r));
    else
      driver.graph_upload(exec, stream);
  }
  if (graph) driver.graph_destroy(graph);
  return why_not.empty() ? Graph(driver, exec) : Graph();
}

}  // namespace strobe::cuda

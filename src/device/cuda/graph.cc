// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/graph.h"

#include <vector>

#include <fmt/format.h>

namespace strobe::cuda {
namespace {

// For the caller to destroy; null when the capture failed.
CUgraph captured(const Driver& driver, CUstream stream, const std::function<void()>& work, std::string& why_not) {
  check(driver, driver.stream_begin_capture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "cannot begin a capture");
  try {
    work();
  } catch (const std::exception& e) {  // what is captured may be the user's
    why_not = e.what();
  }
  // Ended in any case: a stream left in capture mode refuses everything else.
  CUgraph graph = nullptr;
  const CUresult ended = driver.stream_end_capture(stream, &graph);
  if (why_not.empty() && ended != CUDA_SUCCESS)
    why_not = fmt::format("the capture was not accepted: {}", describe(driver, ended));
  if (why_not.empty() && !graph) why_not = "nothing was captured";
  if (why_not.empty()) return graph;
  if (graph) driver.graph_destroy(graph);
  return nullptr;
}

std::optional<std::uint64_t> kernels_among(const Driver& driver, CUgraph graph) {
  std::size_t n = 0;
  if (!driver.graph_get_nodes || !driver.graph_node_get_type) return std::nullopt;
  if (driver.graph_get_nodes(graph, nullptr, &n) != CUDA_SUCCESS || n == 0) return std::nullopt;
  std::vector<CUgraphNode> nodes(n);
  if (driver.graph_get_nodes(graph, nodes.data(), &n) != CUDA_SUCCESS) return std::nullopt;
  std::uint64_t kernels = 0;
  for (const CUgraphNode node : nodes) {
    CUgraphNodeType type{};
    if (driver.graph_node_get_type(node, &type) != CUDA_SUCCESS) return std::nullopt;
    kernels += type == CU_GRAPH_NODE_TYPE_KERNEL;
  }
  return kernels;
}

}  // namespace

Graph::~Graph() {
  if (exec_) driver_->graph_exec_destroy(exec_);
}

void Graph::launch(CUstream stream) const {
  check(*driver_, driver_->graph_launch(exec_, stream), "cannot launch a graph");
}

Graph capture(const Driver& driver, CUstream stream, const std::function<void()>& work, std::string& why_not) {
  const CUgraph graph = captured(driver, stream, work, why_not);
  if (!graph) return {};
  CUgraphExec exec = nullptr;
  const CUresult made = driver.graph_instantiate(&exec, graph, 0);
  driver.graph_destroy(graph);
  if (made != CUDA_SUCCESS) {
    why_not = fmt::format("the graph cannot be made: {}", describe(driver, made));
    return {};
  }
  driver.graph_upload(exec, stream);
  return {driver, exec};
}

std::optional<std::uint64_t> count_kernels(const Driver& driver, CUstream stream, const std::function<void()>& work) {
  std::string why_not;
  const CUgraph graph = captured(driver, stream, work, why_not);
  if (!graph) return std::nullopt;
  const auto kernels = kernels_among(driver, graph);
  driver.graph_destroy(graph);
  return kernels;
}

}  // namespace strobe::cuda

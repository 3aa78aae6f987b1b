// Work captured once from a stream and replayed with one launch.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "device/cuda/driver.h"

namespace strobe::cuda {

class Graph {
 public:
  Graph() = default;
  Graph(const Driver& driver, CUgraphExec exec, std::size_t nodes) : driver_(&driver), exec_(exec), nodes_(nodes) {}
  Graph(Graph&& other) noexcept
      : driver_(other.driver_), exec_(std::exchange(other.exec_, nullptr)), nodes_(other.nodes_) {}
  Graph& operator=(Graph&&) = delete;
  ~Graph();

  explicit operator bool() const { return exec_ != nullptr; }
  std::size_t nodes() const { return nodes_; }
  void launch(CUstream) const;

 private:
  const Driver* driver_ = nullptr;
  CUgraphExec exec_ = nullptr;
  std::size_t nodes_ = 0;
};

// Captures what `work` queues on the stream, in thread-local mode: other threads may go on using CUDA. A capture that
// fails leaves the stream usable; then the graph is empty and `why_not` says why.
Graph capture(const Driver&, CUstream, const std::function<void()>& work, std::string& why_not);

}  // namespace strobe::cuda

// Work captured once from a stream and replayed with one launch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "device/cuda/driver.h"

namespace strobe::cuda {

class Graph {
 public:
  Graph() = default;
  Graph(const Driver& driver, CUgraphExec exec, std::optional<std::uint64_t> kernels)
      : driver_(&driver), exec_(exec), kernels_(kernels) {}
  Graph(Graph&& other) noexcept
      : driver_(other.driver_), exec_(std::exchange(other.exec_, nullptr)), kernels_(other.kernels_) {}
  Graph& operator=(Graph&&) = delete;
  ~Graph();

  explicit operator bool() const { return exec_ != nullptr; }
  void launch(CUstream) const;
  std::optional<std::uint64_t> kernels() const { return kernels_; }  // among its nodes; none: the driver does not tell

 private:
  const Driver* driver_ = nullptr;
  CUgraphExec exec_ = nullptr;
  std::optional<std::uint64_t> kernels_;
};

// Captures what `work` queues on the stream, in thread-local mode: other threads may go on using CUDA. A capture that
// fails leaves the stream usable; then the graph is empty and `why_not` says why.
Graph capture(const Driver&, CUstream, const std::function<void()>& work, std::string& why_not);

}  // namespace strobe::cuda

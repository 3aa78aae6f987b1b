// SPDX-License-Identifier: Apache-2.0
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
  Graph(const Driver& driver, CUgraphExec exec) : driver_(&driver), exec_(exec) {}
  Graph(Graph&& other) noexcept : driver_(other.driver_), exec_(std::exchange(other.exec_, nullptr)) {}
  Graph& operator=(Graph&&) = delete;
  ~Graph();

  explicit operator bool() const { return exec_ != nullptr; }
  void launch(CUstream) const;

 private:
  const Driver* driver_ = nullptr;
  CUgraphExec exec_ = nullptr;
};

// Captures what `work` queues on the stream, in thread-local mode: other threads may go on using CUDA. A capture that
// fails leaves the stream usable; then the graph is empty and `why_not` says why.
Graph capture(const Driver&, CUstream, const std::function<void()>& work, std::string& why_not);

// Captures in the same way, only to count: the graph never runs. None: it cannot be captured, nothing was, or the
// driver does not tell.
std::optional<std::uint64_t> count_kernels(const Driver&, CUstream, const std::function<void()>& work);

}  // namespace strobe::cuda

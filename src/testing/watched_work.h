// SPDX-License-Identifier: Apache-2.0
// Simulated work whose submissions are counted, and which begins to wait for itself at a given time: what a runtime
// does that allocates or compiles in the middle of a run. Its graph waits from a time of its own: waiting is not
// captured.
#pragma once

#include "workload/simulated_workload.h"

namespace strobe {

class WatchedWork final : public Workload {
 public:
  explicit WatchedWork(SimulatedDevice& device, bool graph = false) : device_(device), work_(device, graph) {}

  void submit(std::size_t request) override {
    ++submitted;
    work_.submit(request);
    if (stream().device().clock().now() > waits_from) stream().synchronize();
  }
  Stream& stream() override { return work_.stream(); }
  Replay replay() override {
    auto graph = std::make_unique<WatchedWork>(device_, true);
    graph->waits_from = graph_waits_from;
    return {std::move(graph), {}};
  }

  std::size_t submitted = 0;
  nanoseconds waits_from = nanoseconds::max(), graph_waits_from = nanoseconds::max();

 private:
  SimulatedDevice& device_;
  SimulatedWorkload work_;
};

}  // namespace strobe

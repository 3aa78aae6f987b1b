// Simulated work whose submissions are counted, and which begins to wait for itself at a given time: what a runtime
// does that allocates or compiles in the middle of a run.
#pragma once

#include "workload/simulated_workload.h"

namespace strobe {

class WatchedWork final : public Workload {
 public:
  explicit WatchedWork(SimulatedDevice& device) : work_(device) {}

  void submit(std::size_t request) override {
    ++submitted;
    work_.submit(request);
    if (stream().device().clock().now() > waits_from) stream().synchronize();
  }
  Stream& stream() override { return work_.stream(); }

  std::size_t submitted = 0;
  nanoseconds waits_from = nanoseconds::max();

 private:
  SimulatedWorkload work_;
};

}  // namespace strobe

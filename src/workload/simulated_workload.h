// The work that a simulated device's parameters describe: kernels launched one by one, or replayed as a graph.
#pragma once

#include <memory>
#include <vector>

#include "device/simulated/disturbance.h"
#include "device/simulated/simulated_device.h"

namespace strobe {

class SimulatedWorkload final : public Workload {
 public:
  // `graph`: all kernels with one launch.
  explicit SimulatedWorkload(SimulatedDevice& device, bool graph = false);

  void submit(std::size_t request) override;
  Stream& stream() override { return stream_; }
  std::size_t input_sets() const override { return 2; }
  bool copy_in(std::size_t) override { return copy(stream_, device_.parameters().copy_in); }
  bool copy_out(std::size_t) override { return copy(stream_, device_.parameters().copy_out); }
  bool copy_in_on(Stream& on, std::size_t) override { return copy(on, device_.parameters().copy_in); }
  bool copy_out_on(Stream& on, std::size_t) override { return copy(on, device_.parameters().copy_out); }
  Replay replay() override;
  std::optional<OutputCheck> check() override { return OutputCheck{}; }

 private:
  static bool copy(Stream&, nanoseconds);

  SimulatedDevice& device_;
  SimulatedStream stream_;
  SimulatedStream other_;  // where escaping work goes
  Disturbance disturbance_;
  std::vector<nanoseconds> kernels_, scaled_;
  bool graph_, first_ = true;
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// The work that a simulated device's parameters describe: kernels launched one by one, or replayed as a graph.
#pragma once

#include <memory>
#include <vector>

#include "device/simulated/disturbance.h"
#include "device/simulated/simulated_device.h"

namespace strobe {

class SimulatedWorkload final : public Workload {
 public:
  // `graph`: all kernels at the cost of one. On a stream of this level.
  explicit SimulatedWorkload(SimulatedDevice& device, bool graph = false, StreamLevel level = StreamLevel::any,
                             std::size_t input_sets = 2);

  void submit(std::size_t request) override;
  Stream& stream() override { return stream_; }
  std::size_t input_sets() const override { return input_sets_; }
  std::optional<std::uint64_t> input_bytes() const override;
  std::size_t copy_in(std::size_t request, Stream& on, HostMemory memory) override;
  std::size_t copy_out(std::size_t, Stream& on, HostMemory memory) override {
    return copy(on, device_.parameters().copy_out, memory);
  }
  std::optional<std::uint64_t> kernels() const override { return kernels_.size(); }
  Replay replay() override;
  Profiling profile() override;
  AllocatorReading allocator() override;
  Allocations allocations() override;
  std::optional<OutputCheck> check() override { return OutputCheck{}; }

 private:
  // A graph of it: another program, with the same inputs.
  SimulatedWorkload(const SimulatedWorkload& eager, bool graph);

  static std::size_t copy(Stream&, nanoseconds, HostMemory);
  bool read_input(std::size_t request);  // was it in the cache?
  void set_kernel_times(std::size_t request, double factor);
  void launch_layers(nanoseconds each);
  void keep(Bytes, const char* cause);  // memory, as long as it lives
  void take_at_first();
  std::uint64_t take_activations(std::size_t run, std::uint64_t before);
  // Each run of equal kernels is a layer. Null: nobody asks for them.
  class Profile;

  SimulatedDevice& device_;
  SimulatedStream stream_;
  SimulatedStream other_;  // where escaping and leaking work goes
  Disturbance disturbance_;
  std::vector<nanoseconds> kernels_, scaled_;
  std::size_t input_sets_, first_input_ = 0;  // among those of the device
  bool graph_, first_ = true;
  Profile* profile_ = nullptr;
  std::vector<std::shared_ptr<void>> kept_;  // gives its memory back
};

}  // namespace strobe

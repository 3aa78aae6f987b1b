// SPDX-License-Identifier: Apache-2.0
// Device work of a pipeline that is not a model: copies, and kernels of the simulated device. Each works on a stream
// that the pipeline owns and other stages share.
#pragma once

#include <vector>

#include "device/device.h"
#include "device/simulated/disturbance.h"
#include "device/simulated/simulated_device.h"
#include "workload/pipeline/pipeline_plan.h"

namespace strobe {

// Each iteration in flight has buffers of its own, which requests take in turns.
class CopyWork final : public Workload {
 public:
  CopyWork(const CopyTask&, Device&, Stream&, std::size_t in_flight);

  void submit(std::size_t request) override;
  Stream& stream() override { return stream_; }

 private:
  struct Buffers {
    Buffer device, host;
  };
  Stream& stream_;
  bool in_;
  std::vector<Buffers> buffers_;
};

// A transfer of the length that the simulated device's settings give; a pageable one is waited for, as drivers do.
class SimulatedCopy final : public Workload {
 public:
  SimulatedCopy(const CopyTask&, SimulatedDevice&, SimulatedStream&);

  void submit(std::size_t) override;
  Stream& stream() override { return stream_; }

 private:
  SimulatedStream& stream_;
  nanoseconds length_;
  bool pinned_;
};

// Kernels one by one, disturbed as the device's settings say.
class SimulatedKernels final : public Workload {
 public:
  SimulatedKernels(const SimulatedTask&, SimulatedDevice&, SimulatedStream&);

  void submit(std::size_t) override;
  Stream& stream() override { return stream_; }
  std::optional<std::uint64_t> kernels() const override { return kernels_.size(); }

 private:
  SimulatedDevice& device_;
  SimulatedStream& stream_;
  Disturbance disturbance_;
  std::vector<nanoseconds> kernels_;
  nanoseconds launch_;
  bool hidden_sync_;
};

}  // namespace strobe

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

class CopyWork final : public Workload {
 public:
  CopyWork(const CopyTask&, Device&, Stream&);

  void submit(std::size_t) override { stream_.copy(to_, from_); }
  Stream& stream() override { return stream_; }

 private:
  Stream& stream_;
  Buffer device_buffer_, host_buffer_;
  std::span<std::byte> to_;
  std::span<const std::byte> from_;
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

// SPDX-License-Identifier: Apache-2.0
// Work of known length on a CUDA device: kernels that spin on the GPU's own timer. What a method reads of it can be
// checked against the truth.
#pragma once

#include <vector>

#include "device/cuda/cuda_device.h"
#include "device/cuda/graph.h"

namespace strobe {

class CudaSpins final : public Workload {
 public:
  // Kernels of these lengths, launched one by one; a length of 0 is an empty kernel. `stream`: to work on, native;
  // null: one of its own.
  CudaSpins(cuda::CudaDevice& device, std::vector<nanoseconds> lengths, void* stream = nullptr);

  void submit(std::size_t request) override;
  Stream& stream() override { return *stream_; }
  std::optional<std::uint64_t> kernels() const override { return lengths_.size(); }
  Replay replay() override;

 private:
  cuda::CudaDevice& device_;
  std::unique_ptr<Stream> stream_;
  std::vector<nanoseconds> lengths_;
};

}  // namespace strobe

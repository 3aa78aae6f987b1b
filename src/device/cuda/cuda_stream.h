// SPDX-License-Identifier: Apache-2.0
// A CUDA stream: our own, or one that a runtime or the user made. Marks are timing events from a ring that is made
// beforehand; creating one inside a measurement would be part of it.
#pragma once

#include <vector>

#include "device/cuda/driver.h"
#include "device/device.h"

namespace strobe::cuda {

class CudaDevice;

class CudaStream final : public Stream {
 public:
  CudaStream(CudaDevice& device, CUstream stream, bool owned);
  ~CudaStream() override;
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  Device& device() const override;
  void reserve(std::size_t marks) override;
  Mark mark() override;
  void wait(Mark) override;
  bool reached(Mark) override;
  void after(const Stream&, Mark) override;
  void synchronize() override;
  void copy(std::span<std::byte> to, std::span<const std::byte> from) override;
  nanoseconds between(Mark first, Mark second) override;
  void* native() const override { return stream_; }

 private:
  CudaDevice& device_;
  const Driver& driver_;
  CUstream stream_;
  bool owned_;
  std::vector<CUevent> events_;
  std::uint32_t next_ = 0;
};

}  // namespace strobe::cuda

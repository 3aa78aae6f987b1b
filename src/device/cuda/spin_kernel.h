// SPDX-License-Identifier: Apache-2.0
// Strobe's spinning kernel as a kernel of known length.
#pragma once

#include <memory>

#include "device/cuda/cuda_device.h"
#include "device/true_kernel.h"

namespace strobe::cuda {

class SpinKernel final : public TrueKernel {
 public:
  explicit SpinKernel(CudaDevice&);

  Stream& stream() override { return *stream_; }
  void launch(nanoseconds length) override;
  void launch_empty() override { device_.kernels().empty(native_); }
  std::function<void()> captured(nanoseconds length) override;
  double truth() override;

 private:
  CudaDevice& device_;
  std::unique_ptr<Stream> stream_, beside_;
  CUstream native_;
  Buffer truth_, seen_;
};

}  // namespace strobe::cuda

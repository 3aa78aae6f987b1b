// SPDX-License-Identifier: Apache-2.0
// The mean clock of the multiprocessors between two points of a stream, by their own cycle counters and the GPU's
// timer.
#pragma once

#include "device/buffer.h"
#include "device/counters.h"
#include "device/cuda/kernels.h"

namespace strobe::cuda {

class ClockCounter final : public Counters {
 public:
  // `stamps`: pinned memory for two of them.
  ClockCounter(const Kernels& kernels, Buffer stamps, int multiprocessors)
      : kernels_(kernels), stamps_(std::move(stamps)), multiprocessors_(multiprocessors) {}

  static constexpr std::size_t kBytes = 2 * sizeof(ClockStamp);

  void begin(Stream&) override;
  Counted end(Stream&) override;

 private:
  const Kernels& kernels_;
  Buffer stamps_;
  int multiprocessors_;
};

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// Streams whose pause between kernels is known. They are made and probed when first asked for, a group at a time until
// there are two levels, because streams share their level in groups in the order of creation. A stream that is handed
// out belongs to who asked.
#pragma once

#include <vector>

#include "device/cuda/driver.h"
#include "device/stream_levels.h"

namespace strobe::cuda {

class CudaDevice;

// How long the device pauses between two kernels on this stream, in ns per empty kernel behind a gate.
double kernel_pause(CudaDevice&, CUstream);

class StreamPool {
 public:
  explicit StreamPool(CudaDevice& device) : device_(device) {}
  ~StreamPool();
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;

  const StreamLevels& levels();
  // Null: there is none of this level left.
  CUstream take(StreamLevel);

 private:
  struct Known {
    CUstream stream;
    double pause_ns;
  };

  void add_group();

  CudaDevice& device_;
  bool probed_ = false;
  StreamLevels levels_;
  std::vector<Known> free_;
};

}  // namespace strobe::cuda

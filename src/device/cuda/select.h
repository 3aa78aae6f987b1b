// SPDX-License-Identifier: Apache-2.0
// Which GPU is meant: by index as CUDA numbers them (CUDA_VISIBLE_DEVICES is respected), or by UUID.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "device/cuda/driver.h"

namespace strobe::cuda {

struct Gpu {
  int index = 0;
  CUdevice device = 0;
  std::string name, uuid, pci_bus_id;
};

std::vector<Gpu> list_gpus(const Driver&);

// "0", "GPU-5fd1…" or the beginning of a UUID. Throws Error that lists what there is.
Gpu choose_gpu(const std::vector<Gpu>&, std::string_view wanted);

}  // namespace strobe::cuda

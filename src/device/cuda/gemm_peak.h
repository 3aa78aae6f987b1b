// SPDX-License-Identifier: Apache-2.0
// The best this GPU does in matrix products, measured with cuBLAS where that is installed: what a model's rate is held
// against. Not a data sheet's figure.
#pragma once

#include <optional>

#include "device/cuda/cuda_device.h"

namespace strobe::cuda {

// In 10¹² operations a second, a multiply-add counting 2; none without cuBLAS or memory for it.
std::optional<double> gemm_peak(CudaDevice&, Math);

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
// From CUPTI's records to a recording: names are copied, calls that neither hand anything over nor wait are left out
// (there are thousands of them), times stay CUPTI's.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "device/cuda/cupti.h"
#include "device/cuda/cupti_buffers.h"
#include "trace/recording.h"

namespace strobe::cuda {

// Of the work of one device, as CUDA numbers them.
void decode(const Cupti&, std::span<const CuptiBuffers::Full>, std::uint32_t device, trace::Recording& into);

// "void at::native::kernel<4>(int)" is "at::native::kernel<4>": what tells kernels apart, as they read.
std::string readable_kernel(const char* mangled);

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/clock_counter.h"

namespace strobe::cuda {

void ClockCounter::begin(Stream& stream) {
  auto* stamps = reinterpret_cast<ClockStamp*>(stamps_.bytes().data());
  stamps[0] = stamps[1] = {};
  kernels_.clock(static_cast<CUstream>(stream.native()), reinterpret_cast<CUdeviceptr>(stamps), multiprocessors_);
}

Counted ClockCounter::end(Stream& stream) {
  const auto* stamps = reinterpret_cast<const volatile ClockStamp*>(stamps_.bytes().data());
  kernels_.clock(static_cast<CUstream>(stream.native()), reinterpret_cast<CUdeviceptr>(stamps + 1), multiprocessors_);
  stream.synchronize();
  const std::uint64_t from = stamps[0].nanoseconds, to = stamps[1].nanoseconds;
  if (from == 0 || to <= from) return {};
  return {1e3 * static_cast<double>(stamps[1].cycles - stamps[0].cycles) / static_cast<double>(to - from)};
}

}  // namespace strobe::cuda

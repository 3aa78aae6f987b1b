// SPDX-License-Identifier: Apache-2.0
// The few kernels Strobe needs, as PTX text that the driver compiles for whatever GPU there is: an empty one, a spin of
// known length that stores its own beginning and end, a clock probe, a gate that spins, a fill with normal numbers,
// writing and reading of memory. No nvcc is needed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/units.h"
#include "device/cuda/driver.h"
#include "device/device.h"

namespace strobe::cuda {

// What the GPU's own nanosecond timer read inside a kernel.
struct Truth {
  std::uint64_t begin = 0, end = 0;
};

// SM 0's cycles and the GPU's nanoseconds at one moment: two of them give the SM clock between.
struct ClockStamp {
  std::uint64_t nanoseconds = 0, cycles = 0;
};

// The module, loaded into the current context. Launches are asynchronous on the stream given.
class Kernels {
 public:
  explicit Kernels(const Driver&);
  ~Kernels();
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  void empty(CUstream) const;
  void spin(CUstream, nanoseconds length, CUdeviceptr truth) const;  // truth may be 0
  void clock(CUstream, CUdeviceptr stamp, int multiprocessors) const;
  void gate(CUstream, CUdeviceptr word, std::uint32_t ticket, nanoseconds timeout) const;
  void fill_normal(CUstream, CUdeviceptr to, std::uint64_t count, std::uint64_t seed, FloatFormat) const;
  // Words of four bytes, by the whole GPU. `sink` keeps the reads alive; it is hardly ever written to.
  void write(CUstream, CUdeviceptr to, std::uint64_t words) const;
  void read(CUstream, CUdeviceptr from, std::uint64_t words, CUdeviceptr sink) const;

 private:
  CUfunction function(const char* name) const;
  void launch(CUfunction, unsigned grid, unsigned block, CUstream, void** arguments) const;

  const Driver& driver_;
  CUmodule module_ = nullptr;
  CUfunction empty_ = nullptr, spin_ = nullptr, clock_ = nullptr, gate_ = nullptr, fill_ = nullptr, write_ = nullptr,
             read_ = nullptr;
};

}  // namespace strobe::cuda

// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cupti_buffers.h"

#include <utility>

namespace strobe::cuda {

CuptiBuffers::CuptiBuffers() {
  all_.reserve(kMost);
  free_.reserve(kMost);
  full_.reserve(kMost);
  for (std::size_t i = 0; i < kFirst; ++i) free_.push_back(make());
}

std::uint8_t* CuptiBuffers::make() {
  all_.emplace_back(static_cast<std::uint8_t*>(::operator new(kBytes, std::align_val_t{kAlignment})));
  return all_.back().get();
}

std::uint8_t* CuptiBuffers::give() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return all_.size() < kMost ? make() : nullptr;
  std::uint8_t* const buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void CuptiBuffers::take_back(std::uint8_t* buffer, std::size_t valid) {
  const std::lock_guard lock(mutex_);
  full_.push_back({buffer, valid});
}

std::vector<CuptiBuffers::Full> CuptiBuffers::take_full() {
  std::vector<Full> full;
  full.reserve(kMost);
  const std::lock_guard lock(mutex_);
  std::swap(full, full_);
  return full;
}

void CuptiBuffers::reuse(const std::vector<Full>& buffers) {
  const std::lock_guard lock(mutex_);
  for (const Full& b : buffers) free_.push_back(b.bytes);
}

}  // namespace strobe::cuda

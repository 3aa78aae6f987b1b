// SPDX-License-Identifier: Apache-2.0
// Memory on a device or pinned on the host, owned. Not resizable: sizes are known before anything is measured.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include <strobe/workload.h>

namespace strobe {

enum class Place { device, pinned, pageable };

constexpr Place place_of(HostMemory memory) {
  return memory == HostMemory::pinned ? Place::pinned : Place::pageable;
}

class Buffer {
 public:
  Buffer() = default;
  Buffer(std::span<std::byte> bytes, std::function<void(std::byte*)> release)
      : bytes_(bytes), release_(std::move(release)) {}
  Buffer(Buffer&& other) noexcept : bytes_(std::exchange(other.bytes_, {})), release_(std::move(other.release_)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(release_, other.release_);
    return *this;
  }
  ~Buffer() {
    if (bytes_.data()) release_(bytes_.data());
  }

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
  std::function<void(std::byte*)> release_;
};

}  // namespace strobe

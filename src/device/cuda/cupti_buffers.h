// SPDX-License-Identifier: Apache-2.0
// The memory that CUPTI writes its records into: made beforehand, given and taken back by its callbacks, which may come
// on any thread. Nothing of CUPTI's is called from here, so that our lock is never held around its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <vector>

namespace strobe::cuda {

class CuptiBuffers {
 public:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;
  static constexpr std::size_t kFirst = 8, kMost = 64;  // of them; a kernel and its calls take about 400 bytes

  CuptiBuffers();

  std::uint8_t* give();  // null: there are enough already, and CUPTI drops records, which it counts
  void take_back(std::uint8_t* buffer, std::size_t valid);

  struct Full {
    std::uint8_t* bytes;
    std::size_t valid;
  };
  std::vector<Full> take_full();
  void reuse(const std::vector<Full>&);

 private:
  struct Free {
    void operator()(std::uint8_t* p) const { ::operator delete(p, std::align_val_t{kAlignment}); }
  };
  static constexpr std::size_t kAlignment = 64;  // CUPTI asks for 8
  std::uint8_t* make();

  std::mutex mutex_;
  std::vector<std::unique_ptr<std::uint8_t, Free>> all_;
  std::vector<std::uint8_t*> free_;
  std::vector<Full> full_;
};

}  // namespace strobe::cuda

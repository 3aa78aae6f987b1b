// SPDX-License-Identifier: Apache-2.0
// The last-level cache of a simulated device, as far as inputs are concerned: all have one size, each is in it whole or
// not at all, and the one that was read longest ago makes room for the next.
#pragma once

#include <cstddef>
#include <vector>

namespace strobe {

class InputCache {
 public:
  explicit InputCache(std::size_t room) : room_(room) {}  // inputs that fit

  // Further inputs, from the number that is given on; the only call that allocates.
  std::size_t make(std::size_t inputs);
  // Was it there? Now it is, where there is room for any.
  bool read(std::size_t input);
  void flush();

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Entry {
    std::size_t newer = kNone, older = kNone;
    bool cached = false;
  };

  void take_out(std::size_t input);
  void put_first(std::size_t input);

  std::size_t room_, cached_ = 0;
  std::size_t newest_ = kNone, oldest_ = kNone;
  std::vector<Entry> entries_;  // by input
};

}  // namespace strobe

// SPDX-License-Identifier: Apache-2.0
// Times of the device are read back many at once, outside every interval.
#pragma once

#include <array>
#include <cstddef>

#include <strobe/workload.h>

#include "measure/sample.h"

namespace strobe {

// Marks waiting to be read: pairs and the samples they belong to.
class MarkPairs {
 public:
  // `ahead`: pairs that are recorded before an earlier one is added.
  MarkPairs(Stream& stream, Samples& samples, std::size_t ahead = 0) : stream_(stream), samples_(samples) {
    stream.reserve(2 * (kMarkPairs + ahead));
  }
  // `reached`: the device has come to them.
  void add(Mark a, Mark b, std::size_t sample, bool reached) {
    pairs_[n_++] = {a, b, sample};
    if (n_ < kMarkPairs) return;
    if (!reached) stream_.synchronize();
    read();
  }
  void read() {
    for (std::size_t i = 0; i < n_; ++i) samples_[pairs_[i].sample].device = stream_.between(pairs_[i].a, pairs_[i].b);
    n_ = 0;
  }

 private:
  static constexpr std::size_t kMarkPairs = 256;
  struct Pair {
    Mark a, b;
    std::size_t sample;
  };
  Stream& stream_;
  Samples& samples_;
  std::array<Pair, kMarkPairs> pairs_{};
  std::size_t n_ = 0;
};

}  // namespace strobe

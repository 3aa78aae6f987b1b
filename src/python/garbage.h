// SPDX-License-Identifier: Apache-2.0
// Python's garbage collector, kept out of what is timed: a collection within a request is time of other code. Between
// rounds it runs where enough has gathered, so that a callable that leaves cycles does not fill the memory.
#pragma once

#include <chrono>
#include <cstdint>

#include <nanobind/nanobind.h>

#include <strobe/record.h>

namespace strobe::python {

namespace nb = nanobind;

class GarbagePause {
 public:
  GarbagePause();
  ~GarbagePause();  // as it was before, also where the measurement threw
  GarbagePause(const GarbagePause&) = delete;
  GarbagePause& operator=(const GarbagePause&) = delete;

  void between_rounds();

  std::uint64_t collections() const { return collections_; }
  std::chrono::nanoseconds time() const { return time_; }

 private:
  bool was_enabled_;
  nb::object count_;  // gc.get_count
  std::uint64_t collections_ = 0;
  std::chrono::nanoseconds time_{};
};

// Where there was a collection: how many, how long, and of how many requests that is the garbage; 0: nobody counted
// them.
void describe_garbage(const GarbagePause&, std::uint64_t requests, Scalars& facts);

}  // namespace strobe::python
